// npm run bench:pages: makes the build, opens every page with an empty cache over a slow line (50 KB/s, 400 ms), and
// prints a table. Nothing is installed for this and nothing is written.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { type Browser, type BrowserContext, chromium } from "playwright";
import { findBrowser } from "@/scripts/browser";
import { emptyStorage, startLatchkey } from "./service";
import { plainTable } from "./table";

const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SIGNED_OUT = [
  "/",
  "/signin",
  "/signup",
  "/link",
  "/docs",
  "/docs/guides/command-line",
  "/docs/guides/keys",
  "/docs/guides/production",
];
const SIGNED_IN = ["/keys", "/files", "/account", "/link"];

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
const server = await startLatchkey({ environment: await emptyStorage("sqlite"), keys: [] });
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  const user = await signedUp(browser);
  // Next loads a page's code at its first request: every page was asked for once before it is measured.
  const visits = [
    ...SIGNED_OUT.map((path) => ({ path, name: path, state: undefined })),
    ...SIGNED_IN.map((path) => ({ path, name: `${path}, signed in`, state: user })),
  ];
  for (const { path, state } of visits) await visit(path, state, false);
  const rows: Record<string, string | number>[] = [];
  for (const { path, name, state } of visits) rows.push({ page: name, ...(await visit(path, state, true)) });
  console.log(plainTable(rows));
} finally {
  await browser.close();
  await server.stop();
}

/** The cookies of somebody who has just signed up. */
async function signedUp(browser: Browser): Promise<State> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await page.goto("/signup?next=/account");
  await page.getByLabel("Username").fill(`ada-${randomBytes(3).toString("hex")}`);
  await page.getByLabel("Password", { exact: true }).fill(randomBytes(12).toString("base64url"));
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await page.waitForURL(`${server.url}/account`);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Opens a page in a new browser profile, until it asks for nothing more. */
async function visit(path: string, storageState: State | undefined, isSlow: boolean) {
  const context = await browser.newContext({ baseURL: server.url, storageState });
  try {
    const page = await context.newPage();
    const line = await context.newCDPSession(page);
    await line.send("Network.enable");
    if (isSlow) await line.send("Network.emulateNetworkConditions", LINE);
    let [requests, bytes] = [0, 0];
    line.on("Network.requestWillBeSent", () => requests++);
    line.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(path, { waitUntil: "networkidle", timeout: 120_000 });
    const { painted, loaded } = await page.evaluate(() => ({
      painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
      loaded: (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).loadEventEnd,
    }));
    return {
      requests: String(requests),
      "KB sent": bytes / 1000,
      "first paint, s": painted / 1000,
      "loaded, s": loaded / 1000,
    };
  } finally {
    await context.close();
  }
}
