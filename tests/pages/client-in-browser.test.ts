import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { spaceOf } from "@/clients/typescript/src/request-errors";
import { importDocument } from "@/lib/files/import";
import { findBrowser } from "@/scripts/install";
import { approve } from "@/tests/contract/link";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { listening } from "@/tests/support/place";
import { makeUser } from "@/tests/support/user";
import { press, told, windowOf } from "./on-page";
import { newSurfer, signInButton } from "./opener";
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

/** The address of a site with one page, and perhaps a client of its own, until this test has ended. */
async function siteOf(html: string | Buffer, client = ""): Promise<string> {
  const site = createServer(({ url }, response) => {
    const isClient = url === "/client.mjs";
    response.setHeader("Content-Type", isClient ? "text/javascript" : "text/html").end(isClient ? client : html);
  });
  onTestFinished(() => void site.close());
  return `http://127.0.0.1:${await listening(site)}`;
}

test("a page of another origin imports the client from the service, and reads keys and files", async () => {
  const user = await makeUser();
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
  const page = await browser.newPage();
  await page.goto(`${await siteOf(READER)}/#service=${encodeURIComponent(origin)}&token=${user.token}`);
  await expect.poll(() => page.title()).not.toBe("");
  const texts = ["hello", 'ä"\\\u2028\0\ud83d\ude00'];
  expect(JSON.parse(await page.title())).toEqual({ texts, again: true, code: "key_not_found" });
});

test("examples/link-browser.html signs a person in from another origin", async () => {
  const site = await siteOf(readFileSync("examples/link-browser.html"));
  const { context, username } = await newSignedIn(await newSurfer());
  const page = await context.newPage();
  await page.goto(`${site}/link-browser.html?service=${origin}`);
  const opened = await windowOf(page, () => press(page, "Sign in with Latchkey"));
  await signInButton(opened, site.slice("http://".length)).click();
  await told(page, `Hello, ${username}`);

  // Where it may open no window, it shows letters.
  await page.evaluate(() => Object.assign(window, { open: () => null }));
  await press(page, "Sign in with Latchkey");
  const shown = page.getByRole("status").getByRole("link");
  await expect.poll(() => shown.textContent()).toMatch(/^[A-Z]{6}$/);
  const user = await makeUser();
  await approve(String(await shown.textContent()), user);
  await told(page, `Hello, ${user.username}`);
});

test("the eight lines of the start page link from another origin", async () => {
  const page = await browser.newPage();
  await page.goto(origin);
  const lines = (await page.locator("pre").filter({ hasText: "import" }).textContent()) ?? "";
  expect(lines.split("\n")).toHaveLength(8);
  const said: string[] = [];
  page.on("console", (message) => message.type() === "log" && said.push(message.text()));
  await page.goto(await siteOf(`<!doctype html><script type="module">${lines}</script>`));
  await expect.poll(() => said[0]).toMatch(/^[A-Z]{6} http/);
  const code = String(said[0]?.slice(0, 6));
  const user = await makeUser();
  await approve(code, user);
  await expect.poll(() => said[1]).toBe(`Hello, ${user.username}`);
});

/** A page of the internet whose service is on its visitor's machine (Local Network Access). */
const INTERNET = `<!doctype html><script type="module">
  import { Latchkey } from "/client.mjs";
  window.checked = new Latchkey("${origin}").keys.check("alice", "a key").then(
    ({ owned }) => owned,
    ({ code, message }) => [code, message],
  );
  document.title = "Ready";
</script>`;

test("the client says what to allow where the browser may not reach the service, and works where it may", async () => {
  const { port } = new URL(await siteOf(INTERNET, (await ask("/client.mjs")).text));
  // By a name, as pages of the internet are.
  const page = `http://page.example:${port}`;
  const other = await chromium.launch({
    executablePath: findBrowser(),
    args: [
      ...["--no-sandbox", "--disable-gpu", "--enable-features=LocalNetworkAccessChecks"],
      "--host-resolver-rules=MAP page.example 127.0.0.1",
      `--ip-address-space-overrides=127.0.0.1:${port}=public`,
      `--unsafely-treat-insecure-origin-as-secure=${page}`,
    ],
  });
  onTestFinished(() => other.close());
  async function whatTheClientSays(permissions: string[]): Promise<unknown> {
    const context = await other.newContext();
    await context.grantPermissions(permissions);
    const tab = await context.newPage();
    await tab.goto(page);
    await tab.waitForFunction(() => document.title === "Ready");
    return tab.evaluate(() => Reflect.get(window, "checked"));
  }
  const advice = "If the browser asks whether this page may reach other devices or programs, allow it.";
  expect(await whatTheClientSays([])).toEqual(["no_response", `${origin} did not respond. ${advice}`]);
  expect(await whatTheClientSays(["local-network-access"])).toBe(false);
});

test.each([
  ["http://127.1.2.3", "loopback"],
  ["http://[::1]:3000", "loopback"],
  ["http://192.168.1.5", "local"],
  ["http://100.101.102.103", "local"],
  ["http://100.63.0.1", undefined],
  ["http://100.128.0.1", undefined],
  ["http://[fd00::5]", "local"],
  ["http://nas.local", "local"],
])("of %s, the browser is told that it is %s", (address, space) => {
  expect(spaceOf(address)).toBe(space);
});
