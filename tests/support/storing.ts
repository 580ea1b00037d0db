import { type ChildProcess, execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import type { Report } from "./store-document";
import type { TestUser } from "./user";

const script = ["--import", "tsx", "tests/support/store-document.ts"];

/** Stores and reads a document of about `bytes` in a process of its own, so that its memory can be measured. */
export async function storeElsewhere(user: TestUser, shape: "many" | "few", bytes: number): Promise<Report> {
  const { stdout } = await promisify(execFile)(process.execPath, [...script, user.id, user.username, shape, String(bytes)]);
  return JSON.parse(stdout);
}

/** A process that stores documents of about `bytes` one after another until it is killed; answered when it has begun. */
export async function storingEndlessly(user: TestUser, bytes: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...script, user.id, user.username, "few", String(bytes), "endless"], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((began) => child.stdout.once("data", began));
  return child;
}
