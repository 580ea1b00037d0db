import { gzipSync } from "node:zlib";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { origin } from "@/tests/support/http";
import { launchBrowser } from "./person";

/** Bytes of gzip. An empty page of this Next has about 135,000. */
const MOST_SCRIPT = 180_000;
/**
 * Bytes of everything as it is sent, with headers. The framework and the typeface are 144,000 of it; the nonces of a
 * remembered page, which are not compressed, 1,900.
 */
const MOST_SENT = 189_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe("the first load of", () => {
  test.each(["/", "/link", "/docs"])(
    "%s takes nothing from elsewhere, little script, and moves nothing",
    async (path) => {
      const page = await browser.newPage({ baseURL: origin, viewport: { width: 375, height: 700 } });
      const loading: Promise<{ url: string; type: string; body: Buffer }>[] = [];
      page.on("response", (response) => {
        if (response.request().method() !== "GET") return;
        const [url, type] = [response.url(), response.headers()["content-type"] ?? ""];
        const body = response.body().catch(() => Buffer.alloc(0));
        loading.push(body.then((bytes) => ({ url, type, body: bytes })));
      });
      await page.addInitScript(() => {
        Object.assign(window, { shift: 0 });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            Object.assign(window, { shift: Reflect.get(window, "shift") + Reflect.get(entry, "value") });
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.goto(path);
      await page.waitForLoadState("networkidle");
      const loaded = await Promise.all(loading);
      expect(loaded.length).toBeGreaterThan(3);
      for (const { url } of loaded) expect(new URL(url).origin).toBe(origin);
      const script = loaded
        .filter(({ type }) => type.includes("javascript"))
        .reduce((sum, { body }) => sum + gzipSync(body).length, 0);
      expect(script).toBeGreaterThan(50_000);
      expect(script).toBeLessThan(MOST_SCRIPT);
      expect(await page.evaluate(() => Reflect.get(window, "shift"))).toBe(0);
      await page.close();
    },
  );
});

test.each(["/", "/link", "/signin"])("the first load of %s sends little", async (path) => {
  // From the second visitor on, it is remembered.
  await (await fetch(origin + path, { headers: { Accept: "text/html" } })).text();
  const page = await browser.newPage({ baseURL: origin });
  const line = await page.context().newCDPSession(page);
  await line.send("Network.enable");
  let sent = 0;
  line.on("Network.loadingFinished", ({ encodedDataLength }) => {
    sent += encodedDataLength;
  });
  await page.goto(path, { waitUntil: "networkidle" });
  expect(sent).toBeGreaterThan(100_000);
  expect(sent).toBeLessThan(MOST_SENT);
  await page.close();
});

test("a page that is not there says under which id the log has it", async () => {
  const page = await browser.newPage({ baseURL: origin });
  const answer = await page.goto("/no-such-page");
  await page.getByText(String(answer?.headers()["x-request-id"])).waitFor();
  await page.close();
});
