import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { vi } from "vitest";
import { Latchkey, LatchkeyError } from "@/clients/typescript/src/latchkey";
import { checkOffline, type PublicKeys, type WhoIs, whoIsWith } from "@/clients/typescript/src/signed";
import { bytesOf } from "@/tests/support/documents";

const SOURCES = "clients/python/src";

/** What a call came to: an answer, or an error's class, code, status and sentence. */
export interface Outcome {
  answer?: unknown;
  error?: [name: string, code: string, status: number | null, sentence: string];
  /** The letters, the page and the seconds that `link` shows; its outcome follows. */
  code?: [letters: string, url: string, expiresIn: number];
}

/** A client of the service, in whatever language. It makes one call at a time. */
export interface Client extends Disposable {
  /** Makes a call. Of `link`, this is the code; `outcome()` is what it came to. */
  call(method: string, given?: object, token?: string | null): Promise<Outcome>;
  outcome(): Promise<Outcome>;
}

/** A process that uses the Python client. */
export class PythonClient implements Client {
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly lines: AsyncIterator<string>;
  private errors = "";

  constructor(
    private readonly address: string,
    private readonly token: string | null = null,
  ) {
    const env = { ...process.env, PYTHONPATH: SOURCES, PYTHONDONTWRITEBYTECODE: "1" };
    this.child = spawn("python3", ["tests/clients/python-drive.py"], { env, stdio: "pipe" });
    this.child.stderr.on("data", (chunk) => (this.errors += chunk));
    this.lines = createInterface(this.child.stdout)[Symbol.asyncIterator]();
  }

  call(method: string, given: object = {}, token = this.token): Promise<Outcome> {
    this.child.stdin.write(`${JSON.stringify([method, this.address, token, given])}\n`);
    return this.outcome();
  }

  async outcome(): Promise<Outcome> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`The Python client ended:\n${this.errors}`);
    return JSON.parse(value);
  }

  [Symbol.dispose](): void {
    this.child.kill();
  }
}

interface Given {
  key?: string;
  username?: string;
  user?: string;
  data?: string;
  name?: string;
  price?: number | string;
  until?: string;
  unless?: string;
  path?: string;
  id?: string;
  under?: string;
  audience?: string;
  validator?: string;
  jwks?: PublicKeys;
  storage?: Record<string, string>;
  /** In Unix seconds. */
  now?: number;
  access?: "identity" | "read" | "everything";
}

/** Keys that were fetched are remembered for the next call. */
const verifiers = new Map<string, WhoIs>();

/** What the client needs of localStorage. */
const inMemory = (stored: Record<string, string>) => ({
  getItem: (name: string) => stored[name] ?? null,
  setItem: async (name: string, value: string) => {
    stored[name] = value;
  },
});

const CALLS: Record<string, (client: Latchkey, given: Given) => Promise<unknown>> = {
  me: (client) => client.me(),
  "keys.create": ({ keys }, { data = "", price = 0, ...fields }) => keys.create({ data, price, ...fields }),
  "keys.get": ({ keys }, { key = "" }) => keys.get(key),
  "keys.mine": async ({ keys }) => {
    const all = [];
    for await (const key of keys.each({ pageSize: 20 })) all.push(key);
    return all;
  },
  "keys.check": ({ keys }, { username = "", key = "" }) => keys.check(username, key),
  validator: (client, { audience = "" }) => client.validator(audience),
  who_is: ({ address }, { validator = "", audience = "", jwks, now }) => {
    const name = `${address} ${JSON.stringify(jwks)}`;
    const whoIs = verifiers.get(name) ?? whoIsWith({ address }, jwks);
    verifiers.set(name, whoIs);
    return whoIs(validator, audience, { now: now && now * 1000 });
  },
  check_offline: async ({ address }, { username = "", key = "", jwks = { keys: [] }, storage = {}, now }) => {
    const offline = { jwks, storage: inMemory(storage) };
    const { until, ...checked } = await (now === undefined
      ? new Latchkey(address, { offline }).keys.check(username, key, { offline: true })
      : checkOffline({ address }, { username, key, offline }, () => now * 1000));
    return { ...checked, until: until.getTime() / 1000, storage };
  },
  "keys.revoke": ({ keys }, { key = "", user = "" }) => keys.revoke(key, user),
  "keys.delete": ({ keys }, { key = "" }) => keys.delete(key),
  "keys.update": ({ keys }, { key = "", data = "", name }) =>
    name === undefined ? keys.set(key, "data", data) : keys.set(key, "name", name),
  "keys.admin_add": ({ keys }, { key = "", username = "", until }) =>
    keys.give(key, username, { until: until === undefined || until === "never" ? until : new Date(until) }),
  "files.index": async ({ files }, { unless, under }) => {
    const index = await files.index({ etag: unless, under });
    if (!index) return null;
    const entries: unknown[][] = [];
    for await (const entry of index) {
      const { size, id } = await entry.details();
      entries.push([entry.type, entry.name, entry.location, size, id]);
    }
    return { etag: index.etag, entries };
  },
  "files.get": async ({ files }, { path, id = "" }) => {
    const entry = await files.get(path === undefined ? { id } : { path });
    const { type, name, location, isFolder } = entry;
    const content = isFolder ? null : await bytesOf(entry.bytes());
    const { x, y, created, edited, icon, size, permissions, id: own } = await entry.details();
    const values = [type, name, location, [], x, y, created, edited, icon, size, permissions, own];
    return { entry: content ? values.with(3, String(content)) : values, content: content?.toString("base64") ?? null };
  },
  "files.read": async ({ files }, { unless, under }) => {
    const document = await files.read({ etag: unless, under });
    if (!document) return null;
    const entries: unknown[][] = [];
    for await (const entry of document) {
      // It does not tell the list of a folder's children.
      const data = entry.isFolder ? [] : await entry.text();
      const { x, y, created, edited, icon, size, permissions, id } = await entry.details();
      const { type, name, location } = entry;
      entries.push([type, name, location, data, x, y, created, edited, icon, size, permissions, id]);
    }
    return { etag: document.etag, entries };
  },
};

/** The TypeScript client in this process, used as the Python client is. */
export class TypeScriptClient implements Client {
  private linking: Promise<Outcome> | undefined;

  constructor(
    private readonly address: string,
    private readonly token: string | null = null,
  ) {}

  async call(method: string, sent: object = {}, token = this.token): Promise<Outcome> {
    const given: Given = sent;
    const client = new Latchkey(this.address, { token: token ?? undefined });
    if (method !== "link") {
      const make = CALLS[method];
      if (!make) throw new Error(`The TypeScript client is not asked for ${method} here.`);
      return outcomeOf(method, make(client, given));
    }
    return new Promise((resolve) => {
      const onCode = ({ code, url, expiresAt }: { code: string; url: string; expiresAt: Date }) =>
        resolve({ code: [code, url, Math.round((expiresAt.getTime() - Date.now()) / 1000)] });
      this.linking = outcomeOf(method, client.link({ ...given, onCode }));
      this.linking.then(resolve);
    });
  }

  async outcome(): Promise<Outcome> {
    return (await this.linking) ?? {};
  }

  [Symbol.dispose](): void {}
}

/** An error has the name that the Python client gives to one of its code. */
async function outcomeOf(method: string, answer: Promise<unknown>): Promise<Outcome> {
  try {
    return { answer: await answer };
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    const { code, status = null, message, mayHaveHappened } = error;
    const name = code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return { error: [method === "keys.create" && mayHaveHappened ? "OutcomeUnknown" : name, code, status, message] };
  }
}

/** Each client, by its language. */
export const CLIENTS = { python: PythonClient, typescript: TypeScriptClient };

/** Makes the pauses of the client in this process a fifth as long. Returns how to end that. */
export function shortenPauses(): () => void {
  const { setTimeout } = globalThis;
  const hurried = (done: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
    setTimeout(done, milliseconds / 5, ...given);
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(hurried as typeof setTimeout);
  return () => spy.mockRestore();
}
