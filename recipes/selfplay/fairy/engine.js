// Fairy-Stockfish 14, which plays pieces of one's own, as a UCI program. PACKAGE is the unpacked npm package
// fairy-stockfish-nnue.wasm (npm pack fairy-stockfish-nnue.wasm):
//
//     node --no-experimental-fetch recipes/selfplay/fairy/engine.js PACKAGE
//
// The program within has a file system of its own, so a description of rules is read here and handed over.
const fs = require("fs");
const path = require("path");
const readline = require("readline");
const Stockfish = require(path.resolve(process.argv[2], "stockfish.js"));

Stockfish().then(async (engine) => {
  engine.addMessageListener((line) => process.stdout.write(`${line}\n`));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [, file] = /^setoption name VariantPath value (.+)$/.exec(line) ?? [];
    if (file) engine.FS.writeFile("/variants.ini", fs.readFileSync(file));
    engine.postMessage(file ? "setoption name VariantPath value /variants.ini" : line);
  }
  process.exit(0);
});
