import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

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
