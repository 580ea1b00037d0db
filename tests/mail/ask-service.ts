import { execFileSync } from "node:child_process";
import { actionId } from "@/tests/support/action-id";
import { newNetwork } from "@/tests/support/network";
import { sendTo } from "@/tests/support/request";
import type { Service } from "@/tests/support/service";

interface Reader {
  username: string;
  address: string;
}

/** Makes so many users with a verified address in the rows of a service, and as many without one. */
export function makeReaders({ storage }: Service, count: number): { readers: Reader[]; without: string[] } {
  const env = { ...process.env, DATABASE_URL: "", ...storage, LOG_LEVEL: "silent" };
  const program = ["--import", "tsx", "tests/mail/readers.ts", String(count)];
  return JSON.parse(execFileSync(process.execPath, program, { env, maxBuffer: 1 << 28 }).toString());
}

/** Asks for a recovery link as the page does. What it is told, but for date and request id, and after how many ms. */
export async function askForLinkAt(
  url: string,
  username: string,
  more: Record<string, string> = {},
): Promise<{ answer: string; ms: number }> {
  const body = JSON.stringify([username]);
  const headers = {
    "Next-Action": actionId("askForLink"),
    Accept: "text/x-component",
    Origin: url,
    "Content-Type": "text/plain;charset=UTF-8",
    "Content-Length": String(body.length),
    ...more,
  };
  const started = performance.now();
  const sent = await sendTo(url, "/recover", { method: "POST", headers, body, network: newNetwork().id });
  return { answer: `${sent.status} ${sent.text}`, ms: performance.now() - started };
}
