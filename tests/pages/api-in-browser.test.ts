import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { approve } from "@/tests/contract/link";
import { chunks, smallDocument } from "@/tests/support/documents";
import { origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { press, told } from "./on-page";
import { newSurfer, signInButton, windowOf } from "./opener";
import { browser, newSignedIn } from "./visitor";

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

/** The address of a site with one page, until this test has ended. */
async function siteOf(html: string | Buffer): Promise<string> {
  const site = createServer((request, response) => {
    // A browser asks for /favicon.ico of its own accord.
    if (request.url?.endsWith(".ico")) return response.writeHead(404).end();
    response.setHeader("Content-Type", "text/html").end(html);
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

const other = await browser.newPage();

test("a page of another origin imports the client from the service, and reads keys and files", async () => {
  const user = await makeUser();
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
  await other.goto(`${await siteOf(READER)}/#service=${encodeURIComponent(origin)}&token=${user.token}`);
  await expect.poll(() => other.title()).not.toBe("");
  const texts = ["hello", 'ä"\\\u2028\0\ud83d\ude00'];
  expect(JSON.parse(await other.title())).toEqual({ texts, again: true, code: "key_not_found" });
});

test("examples/link-browser.html signs a person in from another origin", async () => {
  const site = await siteOf(readFileSync("examples/link-browser.html"));
  const { context, username } = await newSignedIn(await newSurfer());
  const page = await context.newPage();
  await page.goto(`${site}/link-browser.html?service=${origin}`);
  const opened = await windowOf(page, () => press(page, "Sign in with Latchkey"));
  await signInButton(opened, site.slice("http://".length)).click();
  await told(page, `Hello, ${username}`);

  await page.evaluate(() => Object.assign(window, { open: () => null }));
  await press(page, "Sign in with Latchkey");
  const shown = page.getByRole("status").getByRole("link");
  await expect.poll(() => shown.textContent()).toMatch(/^[A-Z]{6}$/);
  const code = String(await shown.textContent());
  expect(await shown.getAttribute("href")).toBe(`${origin}/link?code=${code}`);
  const user = await makeUser();
  await approve(code, user);
  await told(page, `Hello, ${user.username}`);
});

test("the eight lines of the start page link from another origin", async () => {
  await other.goto(origin);
  const lines = (await other.locator("pre").filter({ hasText: "import" }).textContent()) ?? "";
  expect(lines.split("\n")).toHaveLength(8);
  const said: string[] = [];
  other.on("console", (message) => message.type() === "log" && said.push(message.text()));
  await other.goto(await siteOf(`<!doctype html><script type="module">${lines}</script>`));
  await expect.poll(() => said[0]).toMatch(/^[A-Z]{6} http/);
  const code = String(said[0]?.slice(0, 6));
  const user = await makeUser();
  await approve(code, user);
  await expect.poll(() => said[1]).toBe(`Hello, ${user.username}`);
});
