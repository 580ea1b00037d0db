import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { allow, approve } from "@/tests/contract/link";
import { chunks, smallDocument } from "@/tests/support/documents";
import { origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { launchBrowser } from "./person";

/** A page that reads all files of a user with the client of the service, from another origin. */
const READER = `<!doctype html><script type="module">
  const { service, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const { Latchkey, LatchkeyError } = await import(service + "/client.mjs");
  const latchkey = new Latchkey(service, { token });
  const read = async (etag) => {
    const entries = await latchkey.files.read({ etag });
    const texts = [];
    for await (const entry of entries ?? []) if (!entry.isFolder) texts.push(await entry.text());
    return { etag: entries?.etag, texts };
  };
  const first = await read();
  const second = await read(first.etag);
  const code = await latchkey.keys.get("0".repeat(32)).catch((error) => error instanceof LatchkeyError && error.code);
  document.title = JSON.stringify({ texts: first.texts, again: second.etag === undefined, code });
</script>`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A site with one page. */
async function siteOf(html: string | Buffer) {
  const site = createServer((request, response) => {
    // A browser asks for /favicon.ico of its own accord.
    if (request.url?.endsWith(".ico")) return response.writeHead(404).end();
    response.setHeader("Content-Type", "text/html").end(html);
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(site.address() as AddressInfo).port}`, close: () => site.close() };
}

test("a page of another origin imports the client from the service, and reads keys and files", async () => {
  const user = await makeUser();
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
  const site = await siteOf(READER);
  const page = await browser.newPage();
  await page.goto(`${site.url}/#service=${encodeURIComponent(origin)}&token=${user.token}`);
  await expect.poll(() => page.title()).not.toBe("");
  const texts = ["hello", 'ä"\\\u2028\0\ud83d\ude00'];
  expect(JSON.parse(await page.title())).toEqual({ texts, again: true, code: "key_not_found" });
  await page.close();
  site.close();
});

test("examples/link-browser.html links from another origin", async () => {
  const program = await siteOf(readFileSync("examples/link-browser.html"));
  const page = await browser.newPage();
  await page.goto(`${program.url}/link-browser.html?service=${origin}`);
  await page.getByRole("button", { name: "Sign in with Latchkey" }).click();
  const shown = page.getByRole("status").getByRole("link");
  await expect.poll(() => shown.textContent()).toMatch(/^[A-Z]{6}$/);
  const code = String(await shown.textContent());
  expect(await shown.getAttribute("href")).toBe(`${origin}/link?code=${code}`);
  const user = await makeUser();
  await approve(code, user);
  // It is a web page of another site: its user says once more that it may have the token.
  await allow(code, user, "loopback", new URL(page.url()).origin);
  await page.getByText(`Linked to ${user.username}.`).waitFor();
  await page.close();
  program.close();
});
