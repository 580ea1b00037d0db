import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { origin } from "@/tests/support/http";
import { press, windowOf } from "./on-page";
import {
  Attack,
  asksForLetters,
  EVIL,
  EVIL_SITE,
  GAME,
  GAME_SITE,
  newSurfer,
  openSite,
  openWindow,
  send,
  signInButton,
} from "./opener";

// Pages that pretend to be another, against a person who signs in to GAME wherever a window offers it, and never to
// EVIL. The attacks on presses are in hostile-presses.test.ts.

const surfer = await newSurfer();
let attack: Attack;
let page: Page;
beforeEach(async () => {
  attack = await Attack.begin(surfer);
  page = attack.page;
});
afterEach(() => attack.end());

const forged = () => attack.code({ Origin: GAME });
const withPart = (part: (forged: { secret: string }) => object) => async () => ({
  ...(await attack.codeOf()),
  ...part(await forged()),
});

/** What EVIL sends to the window that it has opened: none is believed. tests/link/web-page.test.ts has every origin. */
const REFUSED: [string, () => Promise<unknown>][] = [
  ["a code that its server asked for in the name of another site", forged],
  ["one of the service's own origin", () => attack.code({ Origin: origin })],
  ["its code with another secret", withPart(({ secret }) => ({ secret }))],
  ["its code with a secret that is no text", withPart(() => ({ secret: { length: 43 } }))],
  ["its code with a secret of a megabyte", withPart(() => ({ secret: "x".repeat(1e6) }))],
  ["the origin that it claims", async () => ({ ...(await forged()), origin: GAME, source: null })],
  ["a code that does not exist", async () => ({ latchkey: "code", code: "QQQQQQ", secret: "x".repeat(43) })],
  ["codes in a list", withPart(() => ({ code: ["A", "B"] }))],
  ["no code at all", async () => ({ latchkey: "shown" })],
  ["nothing", async () => null],
];

test.each(REFUSED)("a page of another site sends %s: the window asks for letters", async (_, forge) => {
  const opened = await openWindow(page);
  await send(page, await forge());
  await asksForLetters(opened);
});

/** Presses, if the window offers to sign in to GAME. */
async function signInToGame(opened: Page): Promise<void> {
  await signInButton(opened, GAME_SITE).click();
}

const honest = (on: Page) => windowOf(on, () => press(on, "Sign in"));
const greeted = (on: Page) => on.getByText(`Hello, ${attack.person.username}`).waitFor();

test("a page that sends its own code is named, and what it sends later is not read", async () => {
  const opened = await openWindow(page);
  await send(page, await attack.codeOf(), await forged(), await attack.codeOf());
  await signInButton(opened, EVIL_SITE).waitFor();
  await send(page, await forged());
  await opened.reload();
  await signInButton(opened, EVIL_SITE).waitFor();
});

test("a flood of messages is one question", async () => {
  const opened = await openWindow(page);
  let asked = 0;
  opened.on("request", (request) => request.method() === "POST" && asked++);
  const got = await forged();
  await send(page, ...Array.from({ length: 2_000 }, () => got));
  await asksForLetters(opened);
  expect(asked).toBe(1);
});

test("of two pages that write to a window, only its opener counts", async () => {
  const game = await openSite(attack.person, GAME);
  // EVIL has opened GAME's page, and is in a frame of it.
  await game.evaluate((address) => {
    const frame = document.createElement("iframe");
    document.body.append(Object.assign(frame, { src: address }));
    return new Promise((resolve) => frame.addEventListener("load", resolve));
  }, EVIL);
  const [, frame] = game.frames();
  const code = await attack.code({ Origin: EVIL });
  const opened = await honest(game);
  await frame?.evaluate((got) => {
    window.parent.postMessage(got, "*");
    window.parent.postMessage({ latchkey: "ready" }, "*");
  }, code);
  await signInToGame(opened);
  await greeted(game);
  expect(await frame?.evaluate(() => JSON.stringify(Reflect.get(window, "received")))).toBe("[]");
});

test("a page that has opened another learns nothing from it, and tells it nothing", async () => {
  const game = await windowOf(page, () =>
    page.evaluate((address) => void Object.assign(window, { opened: window.open(address, "_blank") }), GAME),
  );
  await game.waitForFunction(() => document.title === "Ready");
  const opened = await honest(game);
  await page.evaluate(
    (got) => {
      const target = Reflect.get(window, "opened") as Window;
      for (const message of [{ latchkey: "ready" }, { latchkey: "refused" }, got]) target.postMessage(message, "*");
    },
    await forged(),
  );
  await signInToGame(opened);
  await greeted(game);
  expect(await game.evaluate(() => Reflect.get(window, "shown"))).toEqual([]);
  expect(await page.evaluate(() => Reflect.get(window, "received"))).toEqual([]);
});

test("a page that becomes another site after it sent its code is named as what it was", async () => {
  const opened = await openWindow(page);
  await send(page, await attack.codeOf());
  await page.goto(GAME);
  await signInButton(opened, EVIL_SITE).waitFor();
  expect(await signInButton(opened, GAME_SITE).count()).toBe(0);
});

test("a page that becomes another site before it sends is what it is then", async () => {
  const game = await openSite(attack.person, GAME);
  const opened = await openWindow(game);
  const code = await attack.codeOf(game);
  await game.goto(EVIL);
  await game.waitForFunction(() => document.title === "Ready");
  // It has no handle of the window, but the window has one of it.
  await opened.evaluate(() => (window.opener as Window).postMessage({ latchkey: "ready" }, "*"));
  await opened.evaluate((got) => window.postMessage(got, "*"), code);
  await asksForLetters(opened);
});

test("a page in a frame that hides its site gets letters to show, and no window", async () => {
  await page.evaluate((address) => {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts allow-popups allow-popups-to-escape-sandbox");
    document.body.append(Object.assign(frame, { src: address }));
  }, GAME);
  const frame = page.frames()[1];
  await frame?.waitForFunction(() => document.title === "Ready");
  await frame?.evaluate(() => void (Reflect.get(window, "begin") as () => void)());
  await expect.poll(() => frame?.evaluate(() => Reflect.get(window, "shown"))).toHaveLength(1);
  // Without the client, it opens a window, and sends its code.
  const code = await attack.code({ Origin: "null" });
  const opened = await windowOf(page, async () =>
    frame?.evaluate(
      (address) => void Object.assign(window, { opened: window.open(address) }),
      `${origin}/link?popup=1`,
    ),
  );
  await frame?.waitForFunction(() => (Reflect.get(window, "received") as unknown[]).length > 0);
  await frame?.evaluate((got) => (Reflect.get(window, "opened") as Window).postMessage(got, "*"), code);
  await asksForLetters(opened);
});

test("no other page of the service keeps its opener, with a code in its address either", async () => {
  const { code } = await attack.codeOf();
  for (const path of [`/link?code=${code}`, "/account"]) {
    const opened = await openWindow(page, path);
    await opened.waitForLoadState();
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    expect(await page.evaluate(() => (Reflect.get(window, "opened") as Window).closed)).toBe(true);
  }
  const opened = await openWindow(page, `/link?popup=1&code=${code}`);
  await opened.getByText("Connecting").waitFor();
  await send(page, await forged());
  await asksForLetters(opened);
  expect(await opened.getByLabel("Code").inputValue()).toBe("");
});
