import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

let byKeys = false;
addEventListener("keydown", () => { byKeys = true; }, true);
addEventListener("pointerdown", () => { byKeys = false; }, true);

/** Browsers frame what a script gives the focus to. Somebody who uses a mouse did not ask for a frame: there is none until it leaves. */
function giveFocus(element: HTMLElement | null | undefined): void {
  if (!element || element === document.body) return;
  if (!byKeys) {
    element.classList.add("quiet");
    element.addEventListener("blur", () => element.classList.remove("quiet"), { once: true });
  }
  element.focus({ preventScroll: true });
}

/** A choice over the board: the first option has the focus, Escape or a click beside the options calls it off, and the focus goes back. */
export function Choice({ label, onCancel, children }: { label: string; onCancel: () => void; children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    giveFocus(place.current?.querySelector("button"));
    return () => giveFocus(before);
  }, []);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") onCancel();
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      const buttons = [...place.current!.querySelectorAll("button")], at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      buttons.at((at + step) % buttons.length)?.focus();
      event.preventDefault();
    }
    event.stopPropagation();
  };
  return <div ref={place} class="choice" role="dialog" aria-label={label} onKeyDown={press} onClick={(event) => { if (event.target === event.currentTarget) onCancel(); }}>{children}</div>;
}
