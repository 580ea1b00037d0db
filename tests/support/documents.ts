import { createHash, randomBytes } from "node:crypto";

const ENTRY_BYTES = 220;

export interface Entry {
  type: string;
  name: string;
  location: string;
  data: unknown;
  id: string;
  unused?: unknown;
  permissions?: unknown;
}

export function values({ type, name, location, data, id, unused = 0, permissions = [] }: Entry): unknown[] {
  const size = typeof data === "string" || Array.isArray(data) ? data.length : 0;
  const times = [1_700_000_000_000, 1_700_000_000_001];
  return [type, name, location, data, unused, 10, 20.5, unused, ...times, "icon", size, permissions, id];
}

export function wildEntry(type: string, name: string, location: string, data: unknown, id: string): unknown[] {
  return [type, name, location, data, "", 0, 0, 0, 1, 2, "", 0, [], id];
}

/** The n-th id of a document. */
export function idOf(n: number): string {
  return n.toString(16).padStart(32, "0");
}

export function root(username: string, children: unknown = []): Entry {
  return { type: ".folder", name: username, location: "origin/(c) users", data: children, id: idOf(1) };
}

export function file(username: string, n: number, data: string, name = `file ${n}`): Entry {
  return { type: ".txt", name, location: `origin/(c) users/${username}`, data, id: idOf(n) };
}

/** A small document: a folder, a file in it and one beside it. */
export function smallDocument(username: string, text = "hello"): unknown[] {
  const home = `origin/(c) users/${username}`;
  const folder = { type: ".folder", name: "docs", location: home, id: idOf(2) };
  const inside = { type: ".txt", name: "a / b", location: `${home}/docs`, id: idOf(3) };
  return [
    ...values(root(username, [idOf(2), idOf(4)])),
    ...values({ ...folder, data: JSON.stringify([idOf(3)]), unused: null }),
    ...values({ ...inside, data: text, unused: "", permissions: [username] }),
    ...values(file(username, 4, 'ä"\\\u2028\0\ud83d\ude00')),
  ];
}

export async function* chunks(text: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/**
 * The shape of a large document: up to a million small entries, three large ones, or small ones that each come before
 * their folder.
 */
export type Shape = "many" | "few" | "late";

export async function* largeDocument(username: string, shape: Shape, bytes: number): AsyncGenerator<Uint8Array> {
  if (shape === "late") return yield* lateDocument(username, bytes);
  const count = shape === "many" ? Math.min(1_000_000, Math.ceil(bytes / 300)) : 3;
  yield* joined(opening(username, count));
  if (shape === "many") yield* joined(smallEntries(username, count, Math.floor(bytes / count) - ENTRY_BYTES));
  else for (let n = 2; n < count + 2; n++) yield* largeEntry(username, n, Math.floor(bytes / count));
  yield Buffer.from("]");
}

export async function hashOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of source) hash.update(chunk);
  return hash.digest("hex");
}

export async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of source) parts.push(chunk);
  return Buffer.concat(parts);
}

export const textOf = async (source: AsyncIterable<Uint8Array>): Promise<string> => (await bytesOf(source)).toString();

async function* lateDocument(username: string, bytes: number): AsyncGenerator<Uint8Array> {
  const count = Math.min(1_000_000, Math.ceil(bytes / 300));
  const folder = (name: string, n: number, location: string) =>
    `,${JSON.stringify(values({ type: ".folder", name, location, data: [], id: idOf(n) })).slice(1, -1)}`;
  const home = `origin/(c) users/${username}`;
  async function* text(): AsyncGenerator<Uint8Array> {
    yield* joined(smallEntries(`${username}/Docs/Deep`, count, Math.floor(bytes / count) - ENTRY_BYTES));
    yield Buffer.from(`${folder("Deep", count + 2, `${home}/Docs`)}${folder("Docs", count + 3, home)},`);
    yield* joined(opening(username, 0));
  }
  let isFirst = true;
  for await (const chunk of text()) {
    // Joined parts begin with a comma, the root with a bracket.
    const bracket = chunk[0] === "[".charCodeAt(0);
    if (isFirst) yield Buffer.from("[");
    yield isFirst || bracket ? chunk.subarray(1) : chunk;
    isFirst = false;
  }
  yield Buffer.from("]");
}

function* opening(username: string, count: number): Generator<string> {
  const [before, after] = JSON.stringify(values(root(username, ["CHILDREN"]))).split('"CHILDREN"');
  yield before ?? "";
  for (let n = 2; n < count + 2; n++) yield `${n === 2 ? "" : ","}"${idOf(n)}"`;
  yield after?.slice(0, -1) ?? "";
}

function* smallEntries(username: string, count: number, dataBytes: number): Generator<string> {
  for (let n = 2; n < count + 2; n++) {
    const data = `"${n}" of many\n`;
    yield `,${JSON.stringify(values(file(username, n, data.repeat(Math.ceil(dataBytes / data.length))))).slice(1, -1)}`;
  }
}

/** The same hard-to-compress text repeatedly, each time with a different beginning. */
async function* largeEntry(username: string, n: number, bytes: number): AsyncGenerator<Uint8Array> {
  const [before, after] = JSON.stringify(values(file(username, n, "DATA"))).split("DATA");
  const part = Buffer.from(randomBytes(49_152).toString("base64"));
  yield Buffer.from(`,${before?.slice(1)}data:image/png;base64,`);
  for (let left = bytes; left > 0; left -= part.length) {
    part.write(String(left).padStart(12, "A"));
    yield part;
  }
  yield Buffer.from(after?.slice(0, -1) ?? "");
}

async function* joined(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  let text = "";
  for (const part of texts) {
    text += part;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}
