#!/bin/sh
# ZIP archives that are written and read as streams, with a file of more than 4 GB, or with the fields for one.
#
# One would guess: the sizes that follow a file's content have 8 bytes each if the field ZIP64 stands before it
# (APPNOTE 6.3.10, section 4.3.9.2). Writers that can be told to use ZIP64 write that field, and readers of streams heed
# it.
# What happens: yazl 3.3.1 with forceZip64Format writes sizes of 8 bytes, and no field before them. zip.js 2.24.0 with
# zip64 writes both. The reader of streams in unzipper 0.12.3 takes the sizes for 4 bytes in both archives: it returns
# the first file, and then fails. unzip-stream 0.3.4 reads both, and so does who reads the list at the end.
# Why it matters: no test with small files shows it, because no writer uses ZIP64 for those by itself. A service that
# writes such archives should write the field, and use ZIP64 for nothing that does not need it.
#
# Needs Node.js 20 or later, and npm.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund yazl@3.3.1 @zip.js/zip.js@2.24.0 unzipper@0.12.3 unzip-stream@0.3.4 >&2

cat >zip64.mjs <<'JS'
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipReader, ZipWriter } from "@zip.js/zip.js";
import unzipStream from "unzip-stream";
import unzipper from "unzipper";
import { ZipFile } from "yazl";

configure({ useWebWorkers: false });
const names = ["a.txt", "b.txt"];
const contentOf = (name) => Buffer.from(`This is ${name}.`);

async function byYazl() {
  const zip = new ZipFile();
  for (const name of names) zip.addReadStream(Readable.from([contentOf(name)]), name, { forceZip64Format: true });
  zip.end();
  return buffer(zip.outputStream);
}

async function byZipJs() {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { zip64: true, dataDescriptor: true });
  for (const name of names) await zip.add(name, new Blob([contentOf(name)]).stream());
  return Buffer.from(await zip.close());
}

/** Whether the first file's header has the field: its header id is 1. */
function hasField(bytes) {
  const start = 30 + bytes.readUInt16LE(26);
  for (let at = start; at < start + bytes.readUInt16LE(28); at += 4 + bytes.readUInt16LE(at + 2))
    if (bytes.readUInt16LE(at) === 1) return true;
  return false;
}

function read(bytes, reader) {
  const seen = [];
  return new Promise((resolve) => {
    const end = () => setTimeout(() => resolve(seen.sort().join(", ")), 200);
    Readable.from([bytes])
      .pipe(reader)
      .on("entry", async (entry) => seen.push(`${entry.path} (${String(await buffer(entry))})`))
      .on("error", () => end(seen.push("an error")))
      .on("close", end);
  });
}

for (const [writer, bytes] of [["yazl", await byYazl()], ["zip.js", await byZipJs()]]) {
  const list = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries();
  console.log(`${writer}: ${hasField(bytes) ? "with" : "without"} the field`);
  console.log(`  by the list at the end: ${list.map(({ filename }) => filename).join(", ")}`);
  console.log(`  unzip-stream: ${await read(bytes, unzipStream.Parse())}`);
  console.log(`  unzipper: ${await read(bytes, unzipper.Parse())}`);
}
JS
node zip64.mjs | tee seen

cat >expected <<'TXT'
yazl: without the field
  by the list at the end: a.txt, b.txt
  unzip-stream: a.txt (This is a.txt.), b.txt (This is b.txt.)
  unzipper: a.txt (This is a.txt.), an error
zip.js: with the field
  by the list at the end: a.txt, b.txt
  unzip-stream: a.txt (This is a.txt.), b.txt (This is b.txt.)
  unzipper: a.txt (This is a.txt.), an error
TXT
cmp -s seen expected
