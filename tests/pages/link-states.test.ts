import { expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { age, approve, poll } from "@/tests/contract/link";
import { enter as enterAs } from "@/tests/link/flow";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { codeFrom, enterAgain, enterNew, link, plate, startProgram } from "./link-program";
import { expectFocusOn, expectToFitInto, heading, press, pressTo, submit, told } from "./on-page";
import { newSignedIn, newVisitor, openReady, submitAccount } from "./visitor";

// Each step at 320 px, enlarged to 400 %, and by axe-core.

const window = await newVisitor();
const { page, context, network } = window;

const CHROME = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0" };
const enterCode = () => enterNew(page, network);

/** As narrow as a small phone, and as a window of 1280 px that is enlarged to 400 %. */
async function expectToFit() {
  const before = page.viewportSize();
  for (const height of [640, 256]) {
    await page.setViewportSize({ width: 320, height });
    await expectToFitInto(page, 320);
    for (const shown of await page.getByRole("main").locator("button, input:visible, h1, [role=img]").all()) {
      const box = await shown.boundingBox();
      if (box) expect(box.x + box.width, await shown.innerHTML()).toBeLessThanOrEqual(320);
    }
  }
  if (before) await page.setViewportSize(before);
}

/** The same, and at the usual sizes, light and dark. */
async function expectGoodAndToFit() {
  await expectToFit();
  await expectGoodLooks(page);
}

test("another alphabet's letters, time that runs out, and a session that ended meanwhile", async () => {
  const visitor = await newSignedIn(window);
  await page.goto("/link");
  await submit(page, { Code: "ABC" }, "Continue");
  await told(page, "A code has six letters; you entered 3.");
  await expectGoodAndToFit();
  const elsewhere = newNetwork().id;
  const code = await codeFrom(elsewhere, CHROME);
  const wide = code.replace(/./g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
  await submit(page, { Code: wide }, "Continue");
  await told(page, "You typed letters from another alphabet");
  expect(await plate(page).textContent()).toBe(code);
  await told(page, `The request came from another network: ${elsewhere}.`);
  await told(page, "The program says it is Chrome on Linux.");
  await expectGoodAndToFit();

  // It is heard when little of it remains.
  const id = await enterAs(visitor, code);
  for (const [left, shown, words] of [
    [319, /^5:\d\d$/, "10 minutes"],
    [118, /^1:\d\d$/, "2 minutes"],
    [58, /^0:\d\d$/, "1 minute"],
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
  const offline = (is: boolean) => context.setOffline(is);
  /** Presses this without a connection, and again with one. */
  async function pressTwice(name: string) {
    await offline(true);
    await press(page, name, "The service could not be reached. Check your connection, then try again.");
    await offline(false);
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
  await expectToFit();

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
  await expectToFit();
  const me = async (auth: string) => (await ask("/me", { query: { auth } })).body;
  expect((await me(visitor.token))?.code).toBe("invalid_token");
  expect((await me(kept))?.username).toBe(visitor.username);
});

test("a visit after a program was linked, one that came too late, a code that is over, and too many", async () => {
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
  await submit(page, { Code: "QQQQQQ" }, "Continue");
  await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor();
  await heading(page, "Link a program");

  const late = await codeFrom(network);
  await submit(page, { Code: late }, "Continue");
  await link(page);
  await age(late, visitor, 301);
  await heading(page, "The program didn't collect the token in time");
  await expectGoodAndToFit();
  const code = await enterCode();
  await age(code, await makeUser(), 601);
  await heading(page, "This code can't be used");
  await expectToFit();

  await page.goto("/link");
  // The first was above.
  for (let time = 1; time <= 10; time++) {
    await enterAgain(page, `QXQXQ${"ABCDEFGHJKL"[time]}`);
    await told(page, time < 10 ? "This code can't be used." : /^Too many wrong codes\. Try again in (10|9) minutes\.$/);
  }
  await expectToFit();
});
