import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROOF_MS } from "@/lib/platform/bounds";
import { type MailServer, startMailServer } from "@/tests/mail/mail-server";
import { tellPostgres } from "@/tests/support/databases";
import { type RunningService, startService } from "@/tests/support/service";
import { confirmOn, openLink } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { button, press, submit, told } from "./on-page";
import { atAccountOf, newVisitor, signUp, submitAccount } from "./visitor";

const NEW = "another horse battery";
type Addresses = [string, string, string];

let server: MailServer;
let service: RunningService;
beforeAll(async () => {
  server = await startMailServer();
  const variables = { SMTP_URL: server.url, MAIL_FROM: "Keys <keys@keys.example>" };
  service = await startService({ lane: "direct", database: "postgresql" }, variables);
});
afterAll(async () => {
  await service?.stop();
  await server?.stop();
});

const newPage = async () => (await newVisitor(undefined, { baseURL: service.url })).page;

async function enter(page: Page, name: string, address: string) {
  await press(page, name);
  await page.getByRole("textbox", { name: "E-mail address" }).fill(address);
  await press(page, "Send link");
}

/** As if everything that proved the users of this service had been ten minutes ago. */
async function letTimePass(): Promise<void> {
  const past = new Date(Date.now() - PROOF_MS).toISOString();
  await tellPostgres(service.storage.DATABASE_URL, `UPDATE "Session" SET "createdAt" = '${past}', "provenAt" = NULL`);
}

test("an address is added, verified, changed, removed, and brings back who forgot the password", async () => {
  const page = await newPage();
  const username = await signUp(page);
  const [wrong, first, second] = ["none", "one", "two"].map((host) => `${username}@${host}.example`) as Addresses;
  await letTimePass();
  await enter(page, "Add address", wrong);
  await confirmOn(page);
  await told(page, "We've sent a link to");

  // One that was changed in another tab is not removed in place of the one that is shown.
  const tab = await page.context().newPage();
  await tab.goto("/account");
  await enter(tab, "Change address", first);
  await told(tab.getByRole("status"), first);
  await press(page.getByRole("region", { name: "E-mail" }), "Remove");
  await told(page, "Your e-mail address has changed since this page was shown.");
  await told(page.getByRole("status"), first);
  await tab.close();

  const [message] = await server.mailTo(first);
  expect(message?.link.startsWith(`${service.url}/email#`)).toBe(true);
  const phone = await newPage();
  await openLink(phone, String(message?.link), "Sign in first");
  await phone.getByRole("link", { name: "Sign in" }).last().click();
  await submitAccount(phone, "Sign in", username);
  await atAccountOf(phone, username);
  await openLink(phone, String(message?.link), "Use this address?");
  await expectGoodLooks(phone);
  await press(phone, "Verify this address", "Address verified");

  server.say({ status: 550 });
  await page.reload();
  await enter(page, "Change address", second);
  await expect.poll(() => server.asked.includes(second)).toBe(true);
  await expect.poll(async () => (await page.request.get("/account")).text()).toContain("could not be delivered");
  await page.reload();
  await told(page, "could not be delivered");
  await press(page, "Cancel change", "Address not changed.");
  server.say("accept");

  await phone.context().clearCookies();
  await phone.goto("/recover");
  await phone.getByLabel("Username").first().fill(username);
  await press(phone, "Send me a link", "a message is on its way");
  await expectGoodLooks(phone);
  const recovery = (await server.mailTo(first, 2)).at(-1);
  await openLink(phone, String(recovery?.link));
  await submit(phone, { "New password": NEW }, "Set password");
  await atAccountOf(phone, username);
  expect((await server.mailTo(first, 3)).at(-1)?.subject).toBe("Your password was changed");

  await letTimePass();
  await press(phone, "Remove");
  await confirmOn(phone, NEW);
  await told(phone, "E-mail address removed.");
  await button(phone, "Add address").waitFor();
  expect((await server.mailTo(first, 4)).at(-1)?.subject).toBe("Your e-mail address was removed");
});
