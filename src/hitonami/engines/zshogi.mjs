// zshogi (npm, GPL-3: a USI engine in WebAssembly with YaneuraOu's K-P-256 network) on standard input and output:
//
//     node zshogi.mjs node_modules/zshogi/dist/lib/zshogi.js
//
// The library answers one command at a time and knows one limit, the option DepthLimit. Here `go nodes N` deepens
// until a depth takes N nodes, `go depth N` searches that depth, and a limit in time deepens until a third of it is
// spent. There is no MultiPV, and a search cannot be stopped within a depth. Mates are scores beyond 31,000.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const DEEPEST = 127;
const DECIDED = 31_000; // beyond this score deepening costs no nodes and changes nothing

const [library] = process.argv.slice(2);
if (library === undefined) {
  console.error("usage: node zshogi.mjs PATH/TO/zshogi.js");
  process.exit(2);
}
const { Engine } = await import(pathToFileURL(library).href);
const engine = await Engine.init();

const numberAfter = (words, name) => {
  const at = words.indexOf(name);
  return at < 0 ? undefined : Number(words[at + 1]);
};

function search(depth) {
  engine.run(`setoption name DepthLimit value ${depth}`);
  const lines = engine.run("go").split("\n").filter((line) => line !== "");
  const words = (lines.at(-2) ?? "").split(" ");
  const isDecided = Math.abs(numberAfter(words, "cp") ?? 0) > DECIDED;
  return { lines, nodes: numberAfter(words, "nodes") ?? 0, isDecided };
}

function go(words) {
  const [fixed, most] = [numberAfter(words, "depth"), numberAfter(words, "nodes")];
  const clock = numberAfter(words, "byoyomi") ?? numberAfter(words, "movetime") ?? 0;
  const begin = Date.now();
  for (let depth = fixed ?? 1; ; depth += 1) {
    const { lines, nodes, isDecided } = search(depth);
    const isSpent = most === undefined ? Date.now() - begin >= clock / 3 : nodes >= most;
    const isLast = fixed !== undefined || isDecided || isSpent || depth >= DEEPEST;
    console.log((isLast ? lines : lines.slice(0, -1)).join("\n"));
    if (isLast) return;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const words = line.trim().split(/\s+/);
  if (words[0] === "quit") break;
  if (words[0] === "go") go(words);
  else process.stdout.write(engine.run(line.trim()));
}
