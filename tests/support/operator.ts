import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Service } from "./service";

/** Creates a user as an operator does, beside the running service. Returns the token. */
export async function newUserOf({ storage, url }: Service, username: string): Promise<string> {
  const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, NEXTAUTH_URL: url, ...storage };
  const admin = ["node_modules/tsx/dist/cli.mjs", "scripts/admin.ts", "user:create", username];
  const running = promisify(execFile)(process.execPath, admin, { env: environment });
  running.child.stdin?.end();
  return JSON.parse((await running).stdout).token;
}
