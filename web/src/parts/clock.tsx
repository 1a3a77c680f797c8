import { useEffect, useState } from "preact/hooks";
import type { ShownClock } from "../api";
import { say } from "../words";

const pad = (value: number) => String(value).padStart(2, "0");
function written(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds - 1e-6));
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** One side's clock. Between two answers of the server it runs by this browser's time; the server's is the one that counts. */
export function ClockFace({ clock, side, turn, onEnd }: { clock: ShownClock; side: number; turn: number; onEnd: () => void }) {
  const running = clock.running && turn === side;
  const [told] = [clock.seconds[side]!];
  const [left, setLeft] = useState(told);
  useEffect(() => {
    setLeft(told);
    if (!running) return;
    const begin = performance.now();
    const timer = setInterval(() => {
      const now = told - (performance.now() - begin) / 1000;
      setLeft(now);
      if (now < -0.3) { clearInterval(timer); onEnd(); }
    }, 200);
    return () => clearInterval(timer);
  }, [clock, running]);
  return <time class={`clock ${running ? "running" : ""} ${left < 20 ? "short" : ""}`} role="timer">{written(left)}</time>;
}

/** "300+3" as people say it. */
export function sayControl(text: string): string {
  const [main = "", more = ""] = text.split("+");
  const minutes = Number(main) / 60;
  return more.endsWith("/1") ? `${minutes}′ + ${more.slice(0, -2)}″ ${say("byoyomi")}` : more === "0" ? `${minutes}′` : `${minutes}′ + ${more}″`;
}
