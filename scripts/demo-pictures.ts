import { type Browser, chromium, type Page } from "playwright";
import type { DemoUser } from "./demo-world";
import { findBrowser } from "./install";

/** Writes the README's pictures: two pages of the demo at `origin`, as this user sees them. */
export async function takePictures(origin: string, user: DemoUser): Promise<void> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await signedIn(browser, origin, user);
    await page.goto("/files");
    await page.getByRole("row", { name: "hills at dawn.png" }).getByRole("checkbox").check();
    await page.mouse.move(0, 0);
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    await page.screenshot({ path: "docs/files.png" });

    const response = await fetch(`${origin}/link/code?name=Tidepool&access=read`);
    const { code } = (await response.json()) as { code: string };
    await page.goto(`/link?code=${code}`);
    await page.getByRole("button", { name: "Link this program", disabled: false }).waitFor();
    await page.screenshot({ path: "docs/link.png" });
  } finally {
    await browser.close();
  }
}

async function signedIn(browser: Browser, baseURL: string, { username, password }: DemoUser): Promise<Page> {
  const page = await browser.newPage({
    baseURL,
    viewport: { width: 1280, height: 780 },
    deviceScaleFactor: 2,
    reducedMotion: "reduce",
  });
  await page.goto("/signin");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/signin");
  return page;
}
