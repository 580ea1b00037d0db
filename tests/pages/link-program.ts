import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { ask } from "@/tests/support/http";
import { button, heading, press } from "./on-page";

/** A program on `network`: it asks for a code, with a name and an access if told, and polls until it has the token. */
export async function startProgram(network: string, wish: Record<string, string> = {}) {
  const { body, headers } = await ask("/link/code", { network, query: wish, headers: { "User-Agent": "curl/8.5.0" } });
  const code = String(body?.code);
  const poll = async () => (await ask("/link/user", { query: { code }, network })).body;
  async function token(): Promise<string> {
    for (;;) {
      const answer = await poll();
      if (answer?.linked) return String(answer.token);
      await sleep(200);
    }
  }
  const page = /<(.+)>; rel="verification"/.exec(String(headers.link))?.[1] ?? "";
  return { code, poll, token, page };
}

/** Enters a code on the link page, also while that is about another one. */
export async function enter(page: Page, text: string): Promise<void> {
  await page.goto("/link");
  const field = page.getByLabel("Code");
  const another = page.getByRole("button", { name: /^(?:Enter another code|Link another program)$/ });
  await field.or(another).waitFor();
  if (await another.isVisible()) await another.click();
  await field.fill(text);
  await press(page, "Continue");
}

const AGENT = { "User-Agent": "my-tool/1.0 (Linux)" };

/** A program on this network gets a code. */
export const codeFrom = async (network: string, headers: Record<string, string> = {}) =>
  String((await ask("/link/code", { network, headers: { ...AGENT, ...headers } })).body?.code);

/** The token that the same program collects on this network; "" if it gets none. */
export const tokenFor = async (code: string, network: string, headers: Record<string, string> = {}) =>
  (await ask("/link/user", { query: { code }, network, headers: { ...AGENT, ...headers } })).body?.token;

/** Enters a code of this network, up to the step where it is decided. */
export async function enterNew(page: Page, network: string, headers = {}): Promise<string> {
  const code = await codeFrom(network, headers);
  await enter(page, code);
  await button(page, "Link this program").waitFor();
  return code;
}

/** Links the program that is asked about. */
export async function link(page: Page): Promise<void> {
  await press(page, "Link this program");
  await heading(page, "Go back to your program");
}

/** The letters that the page shows to compare. */
export const plate = (page: Page) => page.getByRole("img", { name: /^The letters/ });
