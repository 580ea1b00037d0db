import { actionId } from "@/tests/support/action-id";
import { runScript } from "@/tests/support/admin";
import { newNetwork } from "@/tests/support/network";
import { sendTo } from "@/tests/support/request";
import type { Service } from "@/tests/support/service";

interface Reader {
  username: string;
  address: string;
}

export async function makeReaders(
  { storage }: Service,
  count: number,
): Promise<{ readers: Reader[]; without: string[] }> {
  const env = { ...process.env, DATABASE_URL: "", ...storage, LOG_LEVEL: "silent" };
  return JSON.parse((await runScript("tests/mail/readers.ts", [String(count)], env)).stdout);
}

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
