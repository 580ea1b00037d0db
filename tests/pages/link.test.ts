import { expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { age, approve, poll } from "@/tests/contract/link";
import { enter as enterAs } from "@/tests/link/flow";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { codeFrom, enter, enterNew, link, plate, startProgram } from "./link-program";
import { button, expectFocusOn, expectToFitInto, heading, press, pressTo, submit, told } from "./on-page";
import { me, newSignedIn, newVisitor, openReady, submitAccount } from "./visitor";

const window = await newVisitor();
const { page, context, network, expectCalm } = window;

const CHROME = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0" };
const enterCode = () => enterNew(page, network);

/** At the usual sizes, light and dark, and in a window of 1280 px that is enlarged to 400 %. */
async function expectGoodAndToFit() {
  await expectGoodLooks(page);
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 256 });
  await expectToFitInto(page, 320);
  if (before) await page.setViewportSize(before);
}

test("a polling program gets the account's token", async () => {
  const { username, token } = await newSignedIn(window);
  const program = await startProgram(network);
  const collecting = program.token();
  await enter(page, ` ${program.code.slice(0, 3).toLowerCase()}-${program.code.slice(3)} `);
  await heading(page, `Link curl to ${username}?`);
  await told(page, "The program chose the name “curl” itself. Nobody has verified it.");
  expect(await plate(page).textContent()).toBe(program.code);
  await told(page, "from your network");
  const timeLeft = page.getByText(/^\d:\d\d$/).first();
  const before = await timeLeft.textContent();
  await expect.poll(() => timeLeft.textContent()).not.toBe(before);
  await press(page, "Link this program", "The program has collected your token.");
  expect(await collecting).toBe(token);
  expectCalm();
});

test("the page waits for its own request only, and no other browser does", async () => {
  await newSignedIn(window);
  const program = await startProgram(network);
  await enter(page, program.code);
  await link(page);
  const following = page.waitForRequest(/\/link-changes/);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const request = await following;
  const ticket = { "Link-Ticket": String(await request.headerValue("Link-Ticket")) };
  const ask = (headers = {}) => context.request.get("/link-changes", { headers });
  expect(await (await ask()).text()).toBe("unknown");
  expect((await ask({ ...ticket, "Sec-Fetch-Site": "cross-site" })).status()).toBe(403);
  const stranger = await newSignedIn();
  expect(await (await stranger.context.request.get("/link-changes", { headers: ticket })).text()).toBe("unknown");
  // One that leaves, before the first byte or after it, ends nothing.
  const leave = (ms: number) => {
    const left = new AbortController();
    setTimeout(() => left.abort(), ms);
    const headers = { ...ticket, Cookie: String(cookie) };
    return fetch(`${origin}/link-changes?version=x`, { headers, signal: left.signal }).then((found) => found.text());
  };
  const cookie = await request.headerValue("Cookie");
  const leaving = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => leave(n)));
  expect(leaving.map(({ status }) => status)).toContain("rejected");
  expect(await (await ask(ticket)).text()).toBe("\nchanged");
  expect(request.url()).not.toContain(program.code);

  await program.poll();
  await heading(page, "Your program is linked");
  expectCalm();
});

test("the decision is in sight on a phone, without scrolling, also about what needs the most words", async () => {
  await newSignedIn(window);
  const headers = { Origin: "null", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
  const query = { name: "W".repeat(40), access: "read" };
  for (const asking of [
    { network, query },
    { network: newNetwork().id, headers },
  ]) {
    const { body } = await ask("/link/code", asking);
    await enter(page, String(body?.code));
    await button(page, "Link this program").waitFor();
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const { y = 640, height = 0 } = (await button(page, "Link this program").boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(640);
    await page.setViewportSize({ width: 1280, height: 720 });
  }
});

test("a denied program, its code entered as an address, gets nothing, and the page tells the person", async () => {
  await newSignedIn(window);
  const program = await startProgram(network);
  await enter(page, `${origin}/link?code=${program.code}`);
  await pressTo(page, "Deny", "Denied");
  expect(await program.poll()).toEqual({ linked: false, token: "" });
});

test("another alphabet's letters, time that runs out, and a session that ended meanwhile", async () => {
  const visitor = await newSignedIn(window);
  await page.goto("/link");
  await submit(page, { Code: "ABC" }, "Continue", "A code has six letters; you entered 3.");
  const elsewhere = newNetwork().id;
  const code = await codeFrom(elsewhere, CHROME);
  const wide = code.replace(/./g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
  await submit(page, { Code: wide }, "Continue", "You typed letters from another alphabet");
  expect(await plate(page).textContent()).toBe(code);
  await told(page, `The request came from another network: ${elsewhere}.`, "The program says it is Chrome on Linux.");
  await expectGoodAndToFit();

  // It is heard when little of it remains.
  const id = await enterAs(visitor, code);
  for (const [left, shown, words] of [
    [118, /^1:\d\d$/, "2 minutes"],
    [600, /^9:\d\d$/, "10 minutes"],
  ] as const) {
    await db.linkCode.update({ where: { id }, data: { expiresAt: new Date(Date.now() + left * 1000) } });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await told(page, shown);
    await expect
      .poll(() => page.getByRole("timer").textContent(), { message: `${left} seconds` })
      .toBe(`Code expires in ${words}`);
  }

  await db.session.deleteMany({ where: { userId: visitor.id } });
  await pressTo(page, "Deny", "Sign in to continue");
  expect(await plate(page).textContent()).toBe(code);
  await expectGoodAndToFit();
  await submitAccount(page, "Sign in", visitor.username);
  await pressTo(page, "Deny", "Denied");
});

test("a linked program that has not collected yet, has, and no longer may, without a connection between", async () => {
  const visitor = await newSignedIn(window);
  /** Presses this without a connection, and again with one. */
  async function pressTwice(name: string) {
    await context.setOffline(true);
    await press(page, name, "The service could not be reached. Check your connection, then try again.");
    await context.setOffline(false);
    await press(page, name);
  }
  const independent = await startProgram(network, { name: "Independent", access: "read" });
  await approve(independent.code, visitor);
  const kept = await independent.token();
  await page.goto("/link");
  const code = await codeFrom(network, CHROME);
  await page.getByLabel("Code").fill(code);
  await pressTwice("Continue");
  await heading(page, `Link this program to ${visitor.username}?`);
  expect(await page.getByText("The program chose the name").count()).toBe(0);
  await pressTwice("Link this program");
  await heading(page, "Go back to your program");

  await page.route("**/health", (route) => route.abort());
  await told(page, "The service can't be reached right now.");
  await poll(code, network);
  await page.unrouteAll();
  await heading(page, "Your program is linked");
  expect(await page.getByText("The service can't be reached right now.").count()).toBe(0);
  await page.getByText("Not you? Revoke access").click();
  await told(page, "These programs lose access until you link them again:");
  await told(page, "These have tokens of their own, and keep working:");
  await page.getByRole("listitem").filter({ hasText: "Independent" }).waitFor();
  await expectGoodAndToFit();
  await pressTwice("Revoke access");
  await heading(page, "Access revoked");
  expect((await me(visitor.token))?.code).toBe("invalid_token");
  expect((await me(kept))?.username).toBe(visitor.username);
});

test("a visit after a program was linked, one that came too late, and a code that is over", async () => {
  const visitor = await newSignedIn(window);
  const earlier = await enterCode();
  await approve(earlier, visitor);
  await poll(earlier, network);
  const collectedAt = new Date(Date.now() - 180_000);
  await db.linkCode.updateMany({ where: { userId: visitor.id }, data: { collectedAt } });
  await openReady(page, "/link");
  await heading(page, "Link a program");
  await expectFocusOn(page.getByLabel("Code"));
  await plate(page).waitFor();
  await expectGoodAndToFit();

  const late = await codeFrom(network);
  await submit(page, { Code: late }, "Continue");
  await link(page);
  await age(late, visitor, 301);
  await heading(page, "The program didn't collect the token in time");
  await expectGoodAndToFit();
  const code = await enterCode();
  await age(code, await makeUser(), 601);
  await heading(page, "This code can't be used");
});
