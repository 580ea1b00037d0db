import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { ask } from "@/tests/support/http";

/** A program on `network`: it asks for a code, with a name and an access if told, and polls until it has the token. */
export async function startProgram(network: string, wish: Record<string, string> = {}) {
  const { body, headers } = await ask("/link/code", { network, query: wish, headers: { "User-Agent": "curl/8.5.0" } });
  const code = String(body?.code);
  const poll = async () => (await ask("/link/user", { query: { code }, network })).body;
  async function token(): Promise<string> {
    for (let attempt = 0; attempt < 150; attempt++) {
      const answer = await poll();
      if (answer?.linked) return String(answer.token);
      await sleep(200);
    }
    throw new Error("the program was never linked");
  }
  const page = /<(.+)>; rel="verification"/.exec(String(headers.link))?.[1] ?? "";
  return { code, poll, token, page };
}

/** Enters a code on the link page. */
export async function enter(page: Page, text: string) {
  await page.getByLabel("Code").fill(text);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

/** Decides on the link page. */
export const press = (page: Page, name: "Link this program" | "Deny") =>
  page.getByRole("button", { name, exact: true }).click();
