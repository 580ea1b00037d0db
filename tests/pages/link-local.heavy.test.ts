import { readFileSync } from "node:fs";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "@/tests/support/service";
import { launchBrowser } from "./person";
import { signUp } from "./visitor";

// As `npm start` runs it: no proxy in front, none trusted.
let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  service = await startService({ lane: "direct", database: "sqlite" }, { TRUSTED_PROXIES: "" });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test("a person and a program on the service's own machine are told to be on one network, at every step", async () => {
  const page = await browser.newPage({ baseURL: service.url });
  await signUp(page);
  await page.goto("/link");
  const { code } = (await (await fetch(`${service.url}/link/code`)).json()) as { code: string };
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("from your network").waitFor();
  await page.getByRole("button", { name: "Link this program" }).click();
  await page.getByRole("button", { name: "Link this program" }).waitFor({ state: "detached" });
  expect(await (await fetch(`${service.url}/link/user?code=${code}`)).json()).toMatchObject({ linked: true });
  await page.getByText("has collected your token").waitFor();
  expect(await page.getByText("another network").count()).toBe(0);
  // Nothing of this went through a proxy, so nobody is told to configure one.
  expect(readFileSync(service.logFile, "utf8")).not.toContain("TRUSTED_PROXIES");
});
