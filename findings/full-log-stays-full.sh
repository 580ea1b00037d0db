#!/bin/sh
# pino's destination with `maxLength`, and a reader that stands still for a while.
#
# One would guess: lines beyond maxLength are dropped while nothing can be written, and logging goes on once it can.
# What happens: with pino 10.4.0 (sonic-boom 4), if writing fails until the buffer is full, it stays full: the bound is
# checked before what waits is written, so every later line is dropped, and nothing is written any more. An empty text
# gets past the bound, and writes what waits.
# Why it matters: after a disk that was full for a moment, or a log collector that was restarted, a service logs nothing
# until it is restarted, and does not say so.
#
# Needs Node.js 20 or later, npm, and mkfifo.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund pino@10.4.0 >&2
mkfifo pipe

cat >log.mjs <<'JS'
import { constants, openSync, readSync } from "node:fs";
import pino from "pino";

// Both ends of a pipe, so that this program decides when it is read.
const fd = openSync("pipe", constants.O_RDWR | constants.O_NONBLOCK);
const output = pino.destination({ dest: fd, sync: true, maxLength: 200_000, retryEAGAIN: () => false });
output.on("error", () => {});
let dropped = 0;
output.on("drop", () => dropped++);
const readAll = () => {
  let text = "";
  const part = Buffer.alloc(65_536);
  try {
    for (;;) text += part.subarray(0, readSync(fd, part)).toString();
  } catch {
    return text;
  }
};

for (let count = 0; count < 400; count++) output.write(`${"x".repeat(999)}\n`);
let read = readAll().length;
const before = dropped;
for (let count = 0; count < 100; count++) {
  output.write("a line while the reader reads\n");
  read += readAll().length;
}
const some = read > 0 && read < 100_000 ? "some" : read;
console.log(`bytes read: ${some}; of 100 lines after, dropped: ${dropped - before}`);
for (let count = 0; count < 10; count++) {
  output.write("");
  read += readAll().length;
}
output.write("one more\n");
console.log(`bytes read after empty texts: ${read > 190_000}; the next line arrives: ${readAll() === "one more\n"}`);
process.exit();
JS
said=$(node log.mjs)
echo "$said"
[ "$said" = "bytes read: some; of 100 lines after, dropped: 100
bytes read after empty texts: true; the next line arrives: true" ]
