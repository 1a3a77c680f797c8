import { useEffect, useState } from "preact/hooks";

/** Go to another page of this site without loading it anew. */
export function visit(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

export function usePath(): string {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const look = () => setPath(location.pathname);
    addEventListener("popstate", look);
    return () => removeEventListener("popstate", look);
  }, []);
  return path;
}

/** For links: an ordinary click stays within the page, any other is the browser's. */
export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  const { pathname, search, hash } = event.currentTarget as HTMLAnchorElement;
  visit(pathname + search + hash);
}
