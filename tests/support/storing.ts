import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Shape } from "./documents";
import type { Report } from "./store-document";
import type { TestUser } from "./user";

const script = (name: string) => ["--import", "tsx", `tests/support/${name}.ts`];

/**
 * Stores and reads a document of about `bytes` in a separate process, so that its memory can be measured. `environment`
 * is for its database, if not this process's.
 */
export async function storeElsewhere(
  shape: Shape,
  bytes: number,
  environment: Record<string, string> = {},
): Promise<Report> {
  const options = { env: { ...process.env, ...environment } };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...script("store-document"), shape, String(bytes)],
    options,
  );
  return JSON.parse(stdout);
}

/**
 * A process that imports documents of about `bytes` for `user`, or uploads files of that size, one after another, until
 * it is killed. Resolves when it has stored `count` of them, with the milliseconds for one.
 */
export async function storingEndlessly(
  user: TestUser,
  what: "imports" | "uploads",
  { bytes, count }: { bytes: number; count: number },
): Promise<{ child: ChildProcess; took: number }> {
  const name = what === "imports" ? "store-endlessly" : "write-endlessly";
  const child = spawn(process.execPath, [...script(name), user.id, user.username, String(bytes)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let began = performance.now();
  let stored = -1;
  for await (const _ of createInterface(child.stdout)) {
    if (++stored === 0) began = performance.now();
    if (stored === count) break;
  }
  return { child, took: (performance.now() - began) / Math.max(1, stored) };
}
