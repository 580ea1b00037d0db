import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revealToken } from "@/lib/auth/rotate-token";
import { db } from "@/lib/db/client";
import { createRecoveryLink } from "@/lib/recovery/recovery-links";
import { findUser } from "@/lib/user";
import { actionId } from "@/tests/support/action-id";
import { expectGoodLooks } from "./good-looks";
import { press as pressOn, startProgram } from "./link-program";
import { atThisService } from "./one-time-link";
import { byName, expectRefused, type Holder, leave, newHolder, passkeyRows, pressPasskey } from "./passkey-holder";
import { launchBrowser } from "./person";
import { atAccountOf, PASSWORD, signUp } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const NEW = "another horse battery";
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const field = (page: Page) => page.getByLabel("New password", { exact: true });
const removing = (page: Page) => page.getByRole("checkbox", { name: /^Remove th/ });

/** Somebody with a password and a passkey, in the history of whose browser nothing is left. */
async function newOwner(): Promise<Holder & { username: string; id: string }> {
  const holder = await newHolder(browser);
  const username = await signUp(holder.page);
  await holder.page.getByRole("region", { name: "Passkeys" }).getByRole("button", { name: "Add a passkey" }).click();
  await passkeyRows(holder.page).waitFor();
  const { id } = await findUser(username);
  return { ...holder, username, id };
}

async function openForm({ page, username }: Holder & { username: string }) {
  const { link } = await atThisService(() => createRecoveryLink(username));
  await page.context().clearCookies({ name: /session-token/ });
  await page.goto(byName(link));
  expect(await page.content()).not.toContain(username);
  await press(page, "Continue");
  await field(page).waitFor();
}

describe("coming back with a link", () => {
  test("lists the passkeys, and removes them unless the user keeps them", async () => {
    const owner = await newOwner();
    const { page, id, username, expectCalm } = owner;
    const { name } = await db.passkey.findFirstOrThrow({ where: { userId: id } });
    await openForm(owner);
    expect(await removing(page).isChecked()).toBe(true);
    await page.getByRole("listitem").filter({ hasText: name }).waitFor();
    await expectGoodLooks(page);
    await removing(page).uncheck();
    await field(page).fill(NEW);
    await press(page, "Set password");
    await atAccountOf(page, username);
    expect(await passkeyRows(page).count()).toBe(1);

    await openForm(owner);
    await field(page).fill(PASSWORD);
    await press(page, "Set password");
    await atAccountOf(page, username);
    expect(await passkeyRows(page).count()).toBe(0);
    await page.getByText(`Passkey removed: ${name}`).waitFor();
    await page.getByText("New password set with a link, from").first().waitFor();
    expectCalm();
    await leave(owner);
    await pressPasskey(owner);
    await expectRefused(owner);
  });

  test("lists twenty with long names, and the programs that a new token stops", async () => {
    const owner = await newOwner();
    const { page, id, username, network } = owner;
    const token = await revealToken(id);
    const program = await startProgram(network);
    await page.goto(`/link?code=${program.code}`);
    await pressOn(page, "Link this program");
    await program.token();
    const [passkey] = await db.passkey.findMany({ where: { userId: id } });
    if (!passkey) throw new Error("there is no passkey");
    const more = Array.from({ length: 19 }, (_, n) => ({
      ...passkey,
      id: `${id.slice(0, 30)}${n + 10}`,
      credentialId: `${passkey.credentialId}${n}`,
      name: `${n} ${"W".repeat(37)}`,
    }));
    await db.passkey.createMany({ data: more });
    await openForm(owner);
    expect(await page.getByRole("listitem").filter({ hasText: "added" }).count()).toBe(20);
    await page.getByRole("checkbox", { name: "Also rotate my token" }).check();
    await page.getByText("These programs lose access until you link them again:").waitFor();
    await page.getByRole("listitem").filter({ hasText: /^curl/ }).waitFor();
    await expectGoodLooks(page);
    await field(page).fill(NEW);
    await press(page, "Set password");
    await atAccountOf(page, username);
    expect(await revealToken(id)).not.toBe(token);
  });

  test("creates a passkey instead, on the device that had one, and the old password ends", async () => {
    const owner = await newOwner();
    const { page, device, username, expectCalm } = owner;
    const [former] = await device.credentials();
    await openForm(owner);
    await press(page, "Use a passkey instead");
    await atAccountOf(page, username);
    expect(await passkeyRows(page).count()).toBe(1);
    await page.getByRole("heading", { name: "Set a password" }).waitFor();
    await page.getByText("New passkey set with a link, from").waitFor();
    expect((await device.credentials()).map(({ credentialId }) => credentialId)).not.toContain(former?.credentialId);
    expectCalm();
    await leave(owner);
    await pressPasskey(owner);
    await atAccountOf(page, username);
  });

  test("cancelled, it changes nothing, and the link still works", async () => {
    const owner = await newOwner();
    const { page, device, id, username } = owner;
    await openForm(owner);
    await device.recognises(false);
    await press(page, "Use a passkey instead");
    await page.getByText("No passkey was created. Try again when you're ready.").waitFor();
    await expectGoodLooks(page);
    expect(await db.passkey.count({ where: { userId: id } })).toBe(1);
    await removing(page).uncheck();
    await device.recognises(true);
    await press(page, "Use a passkey instead");
    await page.getByText("This device or password manager already has a passkey for your account.").waitFor();
    await field(page).fill(NEW);
    await press(page, "Set password");
    await atAccountOf(page, username);
  });
});

/** The same host on another port: browsers let it use the host's passkeys. */
const EVIL = "http://localhost:9";

test("an answer that another origin obtained with the same host's passkey is refused", async () => {
  const owner = await newOwner();
  const { page, context, username } = owner;
  await leave(owner);
  const challenge = await askedChallenge(page);
  await context.route(`${EVIL}/**`, (route) => route.fulfill({ contentType: "text/html", body: "<h1>A prize</h1>" }));
  await page.goto(`${EVIL}/`);
  const foreign = await touched(page, challenge);
  expect(Buffer.from(foreign.response.clientDataJSON, "base64url").toString()).toContain(EVIL);
  await page.goto("/signin?next=/account");
  expect(await postAnswer(page, foreign)).toEqual({ status: 401, code: "passkey_refused" });
  expect(await postAnswer(page, await touched(page, challenge))).toEqual({ status: 200 });
  await page.goto("/account");
  await atAccountOf(page, username);
});

/** What the page to sign in asks the service for. */
function askedChallenge(page: Page): Promise<string> {
  return page.evaluate(async (id) => {
    const headers = { "Next-Action": id, "Content-Type": "text/plain;charset=UTF-8" };
    const response = await fetch("/signin", { method: "POST", headers, body: "[]" });
    return /"challenge":"([\w-]+)"/.exec(await response.text())?.[1] ?? "";
  }, actionId("askToSignIn"));
}

/** The answer of the host's passkey, as the page that is open obtains it. */
function touched(page: Page, challenge: string) {
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const publicKey = { challenge: bytes, rpId: "localhost", userVerification: "required" } as const;
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return credential.toJSON() as { response: { clientDataJSON: string } };
  }, challenge);
}

function postAnswer(page: Page, answer: object): Promise<{ status: number; code?: string }> {
  return page.evaluate(async (sent) => {
    const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, answer: sent, callbackUrl: "/account", json: "true" });
    const response = await fetch("/api/auth/callback/passkey", { method: "POST", body });
    return { status: response.status, code: /passkey_\w+/.exec(await response.text())?.[0] };
  }, JSON.stringify(answer));
}
