import { join } from "node:path";
import Database from "better-sqlite3";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROOF_MS } from "@/lib/auth/recent-proof";
import { type Issuer, startIssuer } from "@/tests/support/issuer";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { atAccountOf, newVisitor } from "./visitor";

let issuer: Issuer;
let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  issuer = await startIssuer("latchkey");
  const provider = {
    OIDC_ISSUER: issuer.url,
    OIDC_ID: "latchkey",
    OIDC_SECRET: "a secret of the provider's",
    OIDC_NAME: "Example ID",
  };
  service = await startService({ lane: "direct", database: "sqlite" }, provider);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  issuer?.stop();
});

/** As if every sign-in of this service had been ten minutes ago. */
function letTimePass(): void {
  const database = new Database(join(String(service.storage.DATA_DIR), "latchkey.db"));
  database.prepare('UPDATE "Session" SET "createdAt" = ?').run(Date.now() - PROOF_MS);
  database.close();
}

test("who has neither passkey nor password signs in with the provider again, and is then known", async () => {
  issuer.subject = `new-${newUsername()}`;
  const username = newUsername();
  const { page, expectCalm } = await newVisitor(browser, undefined, { baseURL: service.url });
  await page.goto("/signin?next=/account");
  await page.getByRole("button", { name: "Continue with Example ID" }).click();
  await page.getByRole("heading", { name: "Choose a username" }).waitFor();
  await page.getByLabel("Username").fill(username);
  await page.getByRole("button", { name: "Sign up" }).click();
  await atAccountOf(page, username);

  letTimePass();
  const dialog = page.getByRole("dialog", { name: "Confirm it's you" });
  await page.getByRole("button", { name: "Reveal" }).click();
  await dialog.getByText("Then you'll come back to this page, and can repeat the step.").waitFor();
  await expectGoodLooks(page);
  await dialog.getByRole("button", { name: "Sign in with Example ID again" }).click();
  await dialog.waitFor({ state: "detached" });
  await atAccountOf(page, username);
  await page.getByRole("button", { name: "Reveal" }).click();
  await page.getByText(/^lk_[\w-]{43}$/).waitFor();
  expect(await dialog.count()).toBe(0);
  expectCalm();
});
