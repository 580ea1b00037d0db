import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { jsonLine, plain, plainAtTerminal } from "../../../lib/platform/safe-text";
import { type Entry, LatchkeyError } from "../../typescript/src/latchkey";
import { command, group } from "./command";
import { EXIT, Failure, failureOf } from "./failure";
import { print, printMessage, progress, readable } from "./output";
import { type Pulled, pull } from "./pull/pull";
import { interrupted } from "./read-input";
import { session } from "./session";

const MAX_PAUSE = 300;
/** Content is kept in memory up to so many bytes. */
const MAX_IN_MEMORY = 8_000_000;

const ls = command("ls", "List the files, with their sizes", "files ls docs")
  .argument("[folder]", "Only what is in this folder and its subfolders")
  .action(async (input, { json }) => {
    const entries = await session().files.read({ signal: interrupted });
    const alike = (path: string) => path.normalize("NFC").toLowerCase();
    const prefix = alike((input ?? "").replace(/^\/+|\/+$/g, ""));
    let root: string | undefined;
    let before = "[";
    for await (const entry of entries ?? []) {
      const location = `${entry.location}/${entry.name}`;
      root ??= location;
      const path = location.slice(root.length + 1) + (entry.isFolder ? "/" : entry.type);
      if (location === root || !alike(`${path}/`).startsWith(prefix && `${prefix}/`)) continue;
      let bytes = 0;
      if (!entry.isFolder) for await (const part of entry.bytes()) bytes += part.length;
      const { id, edited } = await entry.details();
      const size = entry.isFolder ? "" : readable(bytes);
      const listed = { path, isFolder: entry.isFolder, ...(!entry.isFolder && { bytes }), edited, id };
      process.stdout.write(json ? before + jsonLine(listed) : `${size.padStart(10)}  ${plain(path)}\n`);
      before = ",\n";
    }
    if (json) process.stdout.write(before === "[" ? "[]\n" : "]\n");
  });

const cat = command("cat", "Write a file's content to standard output", "files cat docs/letter.txt")
  .argument("<path>", "The file, as `latchkey files ls` shows it")
  .addHelpText("after", "\nWith --json, errors are JSON; the content is written as it is.")
  .action(async (path) => {
    const parts = await contentOf(path);
    for await (const part of plainAtTerminal(parts, process.stdout))
      if (!process.stdout.write(part)) await once(process.stdout, "drain", { signal: interrupted });
  });

/** The content of a file. A large one is fetched twice: only its end tells whether it is a data: URL. */
async function contentOf(path: string): Promise<Iterable<Uint8Array> | AsyncIterable<Uint8Array>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of (await fileAt(path)).bytes()) {
      length += part.length;
      if (length <= MAX_IN_MEMORY) parts.push(part);
    }
  } catch (error) {
    if (!(error instanceof LatchkeyError) || error.code !== "not_base64") throw error;
    return (await fileAt(path)).bytes("text");
  }
  return length <= MAX_IN_MEMORY ? parts : (await fileAt(path)).bytes();
}

async function fileAt(path: string): Promise<Entry> {
  const entry = await session().files.get({ path }, { signal: interrupted });
  if (!entry.isFolder) return entry;
  await entry.details();
  throw new Failure(EXIT.failed, "is_folder", `${path} is a folder. List what is in it: latchkey files ls`);
}

const pullCommand = command(
  "pull",
  "Save the files to a folder, downloading only what has changed",
  "files pull ~/latchkey --watch",
)
  .argument("<folder>", "The folder; it is created if it is missing")
  .option("--watch", "Keep running, and save changes as they happen")
  .option("--every <seconds>", "How often to check with --watch", seconds, 30)
  .action(async (folder, { watch, every, json }) => {
    const latchkey = session();
    const once = async () => {
      const display = progress();
      try {
        return await pull(latchkey, folder, { signal: interrupted, onProgress: display.show });
      } finally {
        display.clear();
      }
    };
    if (!watch) return void report(await once(), json);
    for (let failures = 0; ; ) {
      try {
        const pulled = await once();
        if (!pulled.isCurrent || pulled.movedAside.length > 0) report(pulled, json);
        failures = 0;
      } catch (error) {
        // A machine without a network finds no host.
        const mayPass =
          error instanceof LatchkeyError && (error.code === "bad_address" || failureOf(error).status === EXIT.tryLater);
        if (!mayPass) throw error;
        printMessage(`${failureOf(error).message} Trying again.`);
        failures++;
      }
      await sleep(1000 * Math.min(Math.max(every, MAX_PAUSE), every * 2 ** failures), undefined, {
        signal: interrupted,
      });
    }
  });

function report(pulled: Pulled, isJson: boolean | undefined): void {
  const { isCurrent, files, written, movedAside, asideIn } = pulled;
  const words = isCurrent
    ? `Nothing has changed: ${fileCount(files)}.`
    : `Saved ${fileCount(written.length)} of ${files.toLocaleString("en")}.`;
  print(
    pulled,
    isJson,
    asideIn ? `${words} Moved ${movedAside.length.toLocaleString("en")} aside, into ${asideIn}` : words,
  );
}

const fileCount = (files: number) => `${files.toLocaleString("en")} ${files === 1 ? "file" : "files"}`;

function seconds(input: string): number {
  if (/^[1-9]\d{0,4}$/.test(input)) return Number(input);
  throw new InvalidArgumentError("It must be a whole number of seconds, from 1 to 99999.");
}

export const files = group("files", "What you have stored");
for (const one of [ls, cat, pullCommand]) files.addCommand(one);
