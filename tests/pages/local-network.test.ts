import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { spaceOf } from "@/clients/typescript/src/request-errors";
import { findBrowser } from "@/scripts/install";
import { ask, origin } from "@/tests/support/http";

/** A page of the internet whose service is on its visitor's machine (Local Network Access). */

const PAGE = `<!doctype html><title>A page</title>
<script type="module">import { Latchkey } from "/client.mjs"; Object.assign(window, { Latchkey });</script>`;
let client: string;
const server = createServer(({ url }, response) => {
  response.setHeader("Content-Type", url === "/client.mjs" ? "text/javascript" : "text/html");
  response.end(url === "/client.mjs" ? client : PAGE);
});
let page: string;
let browser: Browser;

beforeAll(async () => {
  client = (await ask("/client.mjs")).text;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  // By a name, as pages of the internet are.
  page = `http://page.example:${port}/`;
  browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [
      ...["--no-sandbox", "--disable-gpu", "--enable-features=LocalNetworkAccessChecks"],
      `--host-resolver-rules=MAP page.example 127.0.0.1`,
      `--ip-address-space-overrides=127.0.0.1:${port}=public`,
      `--unsafely-treat-insecure-origin-as-secure=${new URL(page).origin}`,
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  server.close();
});

async function whatTheClientSays(permissions: string[]): Promise<unknown> {
  const context = await browser.newContext();
  await context.grantPermissions(permissions);
  const tab = await context.newPage();
  await tab.goto(page);
  await tab.waitForFunction("window.Latchkey");
  return tab.evaluate(async (address) => {
    const { keys } = new (Reflect.get(window, "Latchkey"))(address);
    return keys.check("alice", "a key").then(
      ({ owned }: { owned: boolean }) => owned,
      ({ code, message }: { code: string; message: string }) => [code, message],
    );
  }, origin);
}

test("the client says what to allow where the browser may not reach the service, and works where it may", async () => {
  const advice = "If the browser asks whether this page may reach other devices or programs, allow it.";
  expect(await whatTheClientSays([])).toEqual(["no_response", `${origin} did not respond. ${advice}`]);
  expect(await whatTheClientSays(["local-network-access"])).toBe(false);
});

test.each([
  ["http://localhost:3000", "loopback"],
  ["http://127.1.2.3", "loopback"],
  ["http://[::1]:3000", "loopback"],
  ["http://192.168.1.5", "local"],
  ["http://100.101.102.103", "local"],
  ["http://100.63.0.1", undefined],
  ["http://100.128.0.1", undefined],
  ["http://[fd00::5]", "local"],
  ["http://nas.local", "local"],
  ["https://keys.example.org", undefined],
])("of %s, the browser is told that it is %s", (address, space) => {
  expect(spaceOf(address)).toBe(space);
});
