import { say } from "../words";
import type { Line } from "./live";

/** What the visitor is told while the server does not answer. */
export function LineNote({ line, onRetry }: { line: Line; onRetry: () => void }) {
  if (line === "open") return null;
  return (
    <div class="buttons lost" role="alert" data-line={line}>
      <span>{say(line === "trying" ? "lineTrying" : "lineGone")}</span>
      {line === "gone" && <button type="button" onClick={onRetry}>{say("tryAgain")}</button>}
    </div>
  );
}
