import { Client } from "pg";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROOF_MS } from "@/lib/auth/recent-proof";
import { type MailServer, startMailServer } from "@/tests/mail/mail-server";
import { newNetwork } from "@/tests/support/network";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { confirmOn } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { atAccountOf, submitAccount } from "./visitor";

const NEW = "another horse battery";

let server: MailServer;
let service: RunningService;
let browser: Browser;
beforeAll(async () => {
  server = await startMailServer();
  const variables = { SMTP_URL: server.url, MAIL_FROM: "Keys <keys@keys.example>" };
  service = await startService({ lane: "direct", database: "postgresql" }, variables);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await server?.stop();
});

async function newPage(): Promise<Page> {
  const extraHTTPHeaders = { "X-Forwarded-For": newNetwork().id };
  return (await browser.newContext({ baseURL: service.url, extraHTTPHeaders })).newPage();
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

async function enter(page: Page, button: string, address: string) {
  await press(page, button);
  await page.getByRole("textbox", { name: "E-mail address" }).fill(address);
  await expectGoodLooks(page);
  await press(page, "Send link");
}

/** As if everything that proved the users of this service had been ten minutes ago. */
async function letTimePass(): Promise<void> {
  const database = new Client({ connectionString: service.storage.DATABASE_URL });
  await database.connect();
  const past = new Date(Date.now() - PROOF_MS).toISOString();
  await database.query('UPDATE "Session" SET "createdAt" = $1, "provenAt" = NULL', [past]);
  await database.end();
}

test("an address is added, verified, changed and removed, and brings back somebody who forgot the password", {
  timeout: 400_000,
}, async () => {
  const page = await newPage();
  const username = newUsername();
  const [first, second] = [`${username}@one.example`, `${username}@two.example`];
  await page.goto("/signup?next=/account");
  await submitAccount(page, "Sign up", username);
  await atAccountOf(page, username);
  await letTimePass();
  await enter(page, "Add address", first);
  await confirmOn(page);
  await sees(page, "We've sent a link to");
  await expectGoodLooks(page);

  const [message] = await server.mailTo(first);
  expect(message?.link.startsWith(`${service.url}/email#`)).toBe(true);
  const phone = await newPage();
  await phone.goto(String(message?.link));
  await expectGoodLooks(phone);
  await press(phone, "Continue");
  await sees(phone, "Sign in first");
  await expectGoodLooks(phone);
  await phone.getByRole("link", { name: "Sign in" }).last().click();
  await submitAccount(phone, "Sign in", username);
  await atAccountOf(phone, username);
  await phone.goto(String(message?.link));
  await press(phone, "Continue");
  await sees(phone, "Use this address?");
  await expectGoodLooks(phone);
  await press(phone, "Verify this address");
  await sees(phone, "Address verified");
  await expectGoodLooks(phone);
  await phone.goto("about:blank");
  await phone.goto(String(message?.link));
  await press(phone, "Continue");
  await sees(phone, "This link doesn't work");

  server.say({ status: 550 });
  await page.reload();
  await enter(page, "Change address", second);
  await expect.poll(() => server.asked.includes(second)).toBe(true);
  await expect.poll(async () => (await page.reload()) && page.getByText("could not be delivered").count()).toBe(1);
  await expectGoodLooks(page);
  await press(page, "Cancel change");
  await sees(page, "Address not changed.");
  server.say("accept");

  const lost = await newPage();
  await lost.goto("/signin");
  await lost.getByRole("link", { name: "Forgot your password?" }).click();
  await expectGoodLooks(lost);
  await lost.getByLabel("Username").first().fill(username);
  await press(lost, "Send me a link");
  await sees(lost, "a message is on its way");
  await expectGoodLooks(lost);
  const recovery = (await server.mailTo(first, 2)).at(-1);
  await lost.goto(String(recovery?.link));
  await press(lost, "Continue");
  await lost.getByLabel("New password", { exact: true }).fill(NEW);
  await press(lost, "Set password");
  await atAccountOf(lost, username);
  expect((await server.mailTo(first, 3)).at(-1)?.subject).toBe("Your password was changed");

  await letTimePass();
  await press(lost, "Remove");
  await expectGoodLooks(lost);
  await confirmOn(lost, NEW);
  await sees(lost, "E-mail address removed.");
  await lost.getByRole("button", { name: "Add address" }).waitFor();
  expect((await server.mailTo(first, 4)).at(-1)?.subject).toBe("Your e-mail address was removed");
});

test("an address that was changed in another tab is not removed in place of the one that is shown", async () => {
  const page = await newPage();
  const username = newUsername();
  await page.goto("/signup?next=/account");
  await submitAccount(page, "Sign up", username);
  await atAccountOf(page, username);
  await enter(page, "Add address", `${username}@one.example`);
  await sees(page, "We've sent a link to");
  const tab = await page.context().newPage();
  await tab.goto("/account");
  await enter(tab, "Change address", `${username}@two.example`);
  await tab.getByRole("status").getByText(`${username}@two.example`).waitFor();
  const email = page.getByRole("region", { name: "E-mail" });
  await email.getByRole("button", { name: "Remove", exact: true }).click();
  await sees(page, "Your address was changed meanwhile.");
  await page.getByRole("status").getByText(`${username}@two.example`).waitFor();
});
