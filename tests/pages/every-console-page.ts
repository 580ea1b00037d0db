import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright";
import { expect } from "vitest";
import { expectGoodLooks } from "./good-looks";

/** The busiest user of a database that `npm run seed:console` filled, and one of its networks. */
const BUSY = "user-0000001";
const NETWORK = "198.19.7.3";
/** A proof counts for ten minutes, and a page takes less than the rest of them. */
const SIGN_IN_EVERY_MS = 5 * 60_000;
/** How long a page takes is reported, not judged. */
const PATIENCE_MS = 2 * 60_000;

/** Each page of the console and its usual filters; a name of a link is followed from the page before. */
const PAGES: (string | { follow: string | RegExp })[] = [
  "",
  "?range=month",
  "?range=year",
  "/users",
  { follow: "Next" },
  "/users?sort=seen",
  "/users?sort=keys",
  "/users?sort=bytes&order=ascending",
  "/users?role=admin",
  "/users?access=disabled&idle=30",
  "/users?password=without&idle=360&sort=name",
  "/users?q=user-05",
  "/users?q=nobody",
  `/users?user=${BUSY}`,
  "/users?user=nobody",
  "/keys",
  { follow: "Next" },
  "/keys?q=licence+77",
  "/keys?by=creator&q=user-0500000",
  `/keys?by=creator&q=${BUSY}`,
  { follow: /^Licence/ },
  `/keys?by=holder&q=${BUSY}`,
  "/links",
  "/links?show=denied&page=2",
  `/links?network=${NETWORK}#block`,
  "/audit",
  { follow: "Older" },
  `/audit?who=${BUSY}`,
  `/audit?who=${BUSY}&what=key.revoke`,
  "/audit?who=operator&what=user.disable",
  "/audit?who=nobody&what=key",
  "/audit?what=key",
  "/audit?what=console.refuse",
  `/audit?network=${NETWORK}`,
  `/audit?network=${NETWORK}&what=link`,
  "/audit?from=7d",
  "/audit?what=key.create&to=300d",
  "/settings",
  "/settings?q=METRICS",
];

interface Looking {
  /** The service's address. */
  origin: string;
  username: string;
  password: string;
  /** Where pictures are put. */
  folder: string;
}

/**
 * Opens every page of the console as an administrator, at both widths and in both schemes. Fails where one is refused,
 * is wider than the screen, or has anything that axe-core or the browser complains of. Returns how long each took until
 * it was there, in ms.
 */
export async function openEveryConsolePage(browser: Browser, looking: Looking): Promise<[path: string, ms: number][]> {
  const context = await browser.newContext({ baseURL: looking.origin });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  mkdirSync(looking.folder, { recursive: true });
  const times: [path: string, ms: number][] = [];
  let signedInAt = Number.NEGATIVE_INFINITY;
  for (const asked of PAGES) {
    const next = typeof asked === "string" ? `/admin${asked}` : await addressOf(page, asked.follow);
    if (performance.now() - signedInAt > SIGN_IN_EVERY_MS) {
      await signIn(context, page, looking);
      signedInAt = performance.now();
    }
    const began = performance.now();
    const response = await page.goto(next);
    times.push([next, performance.now() - began]);
    expect(response?.status(), next).toBe(200);
    await page.getByRole("navigation", { name: "Console" }).waitFor();
    if (new URL(page.url()).pathname === "/admin")
      await expect.poll(() => page.locator(".uplot canvas").count(), { timeout: PATIENCE_MS }).toBe(6);
    await keepStill(page);
    const name = `${String(times.length).padStart(2, "0")}${next.replace(/\W+/g, "-").slice(0, 60)}`;
    await expectGoodLooks(page, [], (look) =>
      page.screenshot({ path: join(looking.folder, `${name} ${look}.png`), fullPage: true }).then(() => {}),
    );
    expect(complaints, next).toEqual([]);
  }
  await context.close();
  return times;
}

async function addressOf(page: Page, link: string | RegExp): Promise<string> {
  const found = page.getByRole("main").getByRole("link", { name: link, exact: typeof link === "string" });
  return (await found.first().getAttribute("href")) ?? "";
}

async function signIn(context: BrowserContext, page: Page, { username, password }: Looking): Promise<void> {
  await context.clearCookies();
  await page.goto("/signin?next=/account");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
}

/** Pages that read themselves again do so only while somebody looks. */
async function keepStill(page: Page): Promise<void> {
  await page.evaluate(() =>
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true }),
  );
  await page.waitForLoadState("networkidle");
}
