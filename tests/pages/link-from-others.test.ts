import { beforeEach, describe, expect, test } from "vitest";
import { sealTicket } from "@/lib/link/ticket";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { enter as enterAs } from "@/tests/link/flow";
import { actionId } from "@/tests/support/call-action";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { cookiesOf, makeUser, signInByPassword } from "@/tests/support/user";
import { signedInAs } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { codeFrom, enter, link, tokenFor } from "./link-program";
import { button, heading, press, told } from "./on-page";
import { hashed, makeSignedIn, newSignedIn, newVisitor, openReady, PASSWORD, submitAccount } from "./visitor";

// A link to the page with a code in it, which anybody can have sent.

const visitor = await newSignedIn();
const { page } = visitor;
beforeEach(() => visitor.context.clearCookies({ name: /\.link\./ }));

const DENY = "If someone gave you this code, deny it.";
const box = (on = page) => on.getByRole("checkbox", { name: /^Yes, / });
const grouped = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;
/** Opens a link with the code of a program on this network. Returns the code. */
async function follow(network: string, headers = {}): Promise<string> {
  const code = await codeFrom(network, headers);
  await page.goto(`/link?code=${code}`);
  await button(page, "Link this program").waitFor();
  await told(page, DENY);
  return code;
}

describe("a link with a code of another network", () => {
  test("links nothing before the user says that the program shows these letters, and then does", async () => {
    const network = newNetwork().id;
    const code = await follow(network);
    await told(page, "The request came from another network");
    expect(await box().isChecked()).toBe(false);
    await page.getByRole("checkbox", { name: `Yes, my program shows ${grouped(code)}` }).waitFor();
    await expectGoodLooks(page);
    await press(page, "Link this program");
    expect(await box().evaluate((one: HTMLInputElement) => one.validity.valueMissing)).toBe(true);
    // A page that was changed links nothing either.
    await box().evaluate((one: HTMLInputElement) => one.removeAttribute("required"));
    await press(page, "Link this program", "Compare the letters with those in your program");
    expect(await tokenFor(code, network)).toBe("");
    await box().check();
    await link(page);
    expect(await tokenFor(code, network)).toMatch(/^lk_/);
  });

  test("asks about the page, if a web page shows the letters", async () => {
    const code = await follow(newNetwork().id, { Origin: "https://game.example", "Sec-Fetch-Mode": "cors" });
    await page.getByRole("checkbox", { name: `Yes, that page shows ${grouped(code)}` }).waitFor();
  });

  test("asks with a line break between its letters, too", async () => {
    const code = await codeFrom(newNetwork().id);
    await page.goto(`/link?code=${code.slice(0, 3)}%0D%0A${code.slice(3)}%0A`);
    await button(page, "Link this program").waitFor();
    expect(await box().count()).toBe(1);
  });

  test("asks also if the link is pasted into the field, which then shows its code", async () => {
    const code = await codeFrom(newNetwork().id);
    await openReady(page, "/link");
    // The answer to an earlier entry is taken away with it.
    await page.getByLabel("Code").fill("ABC");
    await press(page, "Continue", "A code has six letters; you entered 3.");
    await page.getByLabel("Code").fill(`Open ${origin}/link?code=${code}.`);
    expect(await page.getByLabel("Code").inputValue()).toBe(code);
    await press(page, "Continue");
    await box().waitFor();
  });

  test("asks also after signing in, by whichever way", async () => {
    const signedOut = await newVisitor(visitor.network);
    const { username } = await newSignedIn();
    const code = await codeFrom(newNetwork().id);
    await signedOut.page.goto(`/link?code=${code}`);
    await signedOut.page.getByRole("navigation").getByRole("link", { name: "Sign in" }).click();
    await submitAccount(signedOut.page, "Sign in", username, PASSWORD);
    await press(signedOut.page, "Continue");
    await box(signedOut.page).waitFor();
  });
});

test("a link with a code of an unknown network asks, too", async () => {
  const unknown = await newVisitor("127.0.0.1", { extraHTTPHeaders: {} });
  await makeSignedIn(unknown);
  await unknown.page.goto(`/link?code=${await codeFrom(newNetwork().id)}`);
  await box(unknown.page).waitFor();
});

test("a link with a code of the user's own network needs one press", async () => {
  const code = await follow(visitor.network);
  expect(await box().count()).toBe(0);
  await link(page);
  expect(await tokenFor(code, visitor.network)).toMatch(/^lk_/);
});

test("letters that the user types have been compared, also after a link with them", async () => {
  const network = newNetwork().id;
  const code = await follow(network);
  await enter(page, code.toLowerCase());
  await button(page, "Link this program").waitFor();
  await told(page, DENY);
  expect(await box().count()).toBe(0);
  await link(page);
  await heading(page, "Go back to your program");
  expect(await tokenFor(code, network)).toMatch(/^lk_/);
});

/** Somebody who is asked whether to link a program, with the ticket that is in their page. */
async function startDeciding() {
  const session = await signedInAs("user");
  const code = String((await ask("/link/code")).body?.code);
  const linkId = await enterAs(session, code);
  const { id: sessionId } = await db.session.findFirstOrThrow({ where: { userId: session.id } });
  const request = { linkId, sessionId };
  const ticket = sealTicket({ id: newId(), since: Date.now(), code, isTransliterated: false, request });
  const status = async () => (await db.linkCode.findUniqueOrThrow({ where: { id: linkId } })).status;
  return { ...session, ticket, status };
}

/** Sends the page's form as its script does. */
async function send(ticket: string, Cookie: string, Origin = origin): Promise<void> {
  const form = new FormData();
  const fields = { ticket, decision: "approve", gives: "account", ends: "never" };
  for (const [name, value] of Object.entries(fields)) form.append(`_1_${name}`, value);
  form.append("0", '["$K1"]');
  const encoded = new Response(form);
  const body = await encoded.text();
  const type = String(encoded.headers.get("content-type"));
  const length = String(Buffer.byteLength(body));
  const about = { Accept: "text/x-component", "Content-Type": type, "Content-Length": length };
  const headers = { "Next-Action": actionId("decide"), ...about, Origin, Cookie };
  await ask("/link", { method: "POST", headers, body });
}

test("a form decides nothing without its session, in another one, or with a changed ticket", async () => {
  const [victim, attacker] = [await startDeciding(), await startDeciding()];
  const { ticket, cookie } = attacker;
  await send(ticket, victim.cookie);
  await send(ticket, "");
  await send(ticket, cookie, "https://evil.example");
  await send(`${ticket.slice(0, 40)}${ticket[40] === "A" ? "B" : "A"}${ticket.slice(41)}`, cookie);
  expect(await attacker.status()).toBe("pending");
  await send(ticket, cookie);
  expect(await attacker.status()).toBe("approved");

  await send(victim.ticket, cookie);
  await send(victim.ticket, await signInByPassword(origin, victim.username, PASSWORD));
  expect(await victim.status()).toBe("pending");
  // It would have been approved.
  await send(victim.ticket, victim.cookie);
  expect(await victim.status()).toBe("approved");
});

test("nobody else's page signs a person in: a program would be linked to a stranger's account", async () => {
  const { username } = await makeUser({ passwordHash: await hashed });
  const started = await ask("/api/auth/csrf");
  const cookie = cookiesOf(started);
  const token = String(started.body?.csrfToken);
  const post = async (headers: Record<string, string>, csrfToken: string) => {
    const body = new URLSearchParams({ username, password: PASSWORD, json: "true", csrfToken });
    const sent = { method: "POST", redirect: "manual", headers, body } as const;
    const answer = await fetch(`${origin}/api/auth/callback/credentials`, sent);
    return answer.headers.getSetCookie().filter((one) => one.includes("session-token="));
  };
  expect(await post({ cookie }, token)).toHaveLength(1);
  expect(await post({ cookie }, "guessed")).toEqual([]);
  expect(await post({ origin: "https://evil.example" }, token)).toEqual([]);
  expect(await post({}, "")).toEqual([]);
});
