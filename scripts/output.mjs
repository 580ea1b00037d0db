// What a script prints may not arrive: no stack then, for any of them.
process.stdout.on("error", ({ code, message }) => {
  // The reader has seen enough, as in `--help | head`.
  if (code === "EPIPE") return;
  console.error(`The output cannot be written: ${message}`);
  process.exitCode = 1;
});
// There is nowhere to say so.
process.stderr.on("error", () => {});
