import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { constants, inflateRawSync } from "node:zlib";

const CHUNK = 1 << 24;
/** What ends a flush of deflate, and the bytes before it that are tried: pieces with little text have fewer. */
const FLUSHED = Buffer.from([0, 0, 0xff, 0xff]);
const MAX_PIECE = 1_000;

/** A text as it may be found in bytes: UTF-8, UTF-16, hex, and base64 from any of three alignments. */
function formsOf(text: string): Buffer[] {
  const utf16 = Buffer.from(text, "utf16le");
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    // The characters on both ends depend on what is beside the text.
    return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const hex = bytes.toString("hex");
  const written = [hex, hex.toUpperCase(), ...base64].map((form) => Buffer.from(form));
  return [bytes, utf16, Buffer.from(utf16).swap16(), ...written];
}

export class Traces {
  readonly #forms: [string, Buffer][];

  constructor(texts: Record<string, string>) {
    this.#forms = Object.entries(texts).flatMap(([name, text]) =>
      formsOf(text).map((form): [string, Buffer] => [name, form]),
    );
  }

  in(bytes: Buffer): string[] {
    return [...new Set(this.#forms.filter(([, form]) => bytes.includes(form)).map(([name]) => name))];
  }

  /** Those in the files of a folder, each with its path. With `inflating`, also in deflated form there. */
  inFiles(path: string, inflating: (file: string) => boolean = () => false): string[] {
    return filesIn(path).flatMap((file) => {
      const bytes = readFileSync(file);
      const found = [...this.in(bytes), ...(inflating(file) ? this.#inflated(bytes) : [])];
      return found.map((name) => `${name} in ${file}`);
    });
  }

  inMemory(pid: number): string[] {
    const memory = openSync(`/proc/${pid}/mem`, "r");
    const found = new Set<string>();
    try {
      for (const line of readFileSync(`/proc/${pid}/maps`, "utf8").split("\n")) {
        const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
        if (from && to)
          for (const name of this.#between(memory, Number.parseInt(from, 16), Number.parseInt(to, 16))) found.add(name);
      }
    } finally {
      closeSync(memory);
    }
    return [...found];
  }

  #between(memory: number, from: number, to: number): string[] {
    const found: string[] = [];
    const buffer = Buffer.alloc(CHUNK);
    // Each chunk begins with the end of the one before.
    for (let at = from; at < to; at += CHUNK - 512) {
      const length = readSome(memory, buffer, Math.min(CHUNK, to - at), at);
      found.push(...this.in(buffer.subarray(0, length)));
    }
    return found;
  }

  /** Those that come out between a block's possible beginning and a flush, with which each piece of files ends. */
  #inflated(bytes: Buffer): string[] {
    const found = new Set<string>();
    for (let end = bytes.indexOf(FLUSHED); end >= 0; end = bytes.indexOf(FLUSHED, end + 1)) {
      // Compressed bytes have few zeros; most rows and pages have many.
      if (bytes.subarray(Math.max(0, end - 32), end).filter((byte) => byte === 0).length > 3) continue;
      for (let at = Math.max(0, end - MAX_PIECE); at < end; at++) {
        // Not the last block, with fixed or with dynamic codes.
        const header = (bytes[at] ?? 0) & 7;
        if (header !== 2 && header !== 4) continue;
        const text = inflate(bytes.subarray(at, end + FLUSHED.length));
        if (text) for (const name of this.in(text)) found.add(`${name}, deflated`);
      }
    }
    return [...found];
  }
}

function inflate(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 20 });
  } catch {
    return undefined;
  }
}

/** Some regions of a process cannot be read. */
function readSome(memory: number, buffer: Buffer, length: number, at: number): number {
  try {
    return readSync(memory, buffer, 0, length, at);
  } catch {
    return 0;
  }
}

function filesIn(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
