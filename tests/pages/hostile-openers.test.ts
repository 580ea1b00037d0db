import type { Page } from "playwright";
import { expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { press } from "./on-page";
import {
  Attack,
  asksForLetters,
  EVIL,
  EVIL_SITE,
  GAME,
  GAME_SITE,
  type Got,
  openSite,
  openWindow,
  send,
  signInButton,
  windowOf,
} from "./opener";

// Pages that pretend to be another, against a person who signs in to GAME wherever a window offers it, and never to
// EVIL. The attacks on presses are in hostile-presses.test.ts.

type Forging = (attack: Attack, page: Page) => Promise<unknown>;

const good = (attack: Attack) => attack.code({ Origin: GAME });
const withPart =
  (part: object): Forging =>
  async (attack) => ({ ...(await good(attack)), ...part });

/** What a page of EVIL sends to the window that it has opened: none is believed, so the window asks for letters. */
const REFUSED: [string, Forging][] = [
  ["a code that its server asked for in the name of another site", good],
  ["one without a site", (attack) => attack.code()],
  ["one of a page that hides its site", (attack) => attack.code({ Origin: "null" })],
  ["one of the service's own origin", (attack) => attack.code({ Origin: origin })],
  ["one of the same host with another scheme", (attack) => attack.code({ Origin: EVIL.replace("http", "https") })],
  ["one of the same host at another port", (attack) => attack.code({ Origin: "http://evil.localhost:1" })],
  ["one of its origin with a slash", (attack) => attack.code({ Origin: `${EVIL}/` })],
  ["one of its origin in capitals", (attack) => attack.code({ Origin: EVIL.toUpperCase() })],
  ["one of its parent domain", (attack) => attack.code({ Origin: EVIL.replace("evil.", "") })],
  ["one of a name that ends like its own", (attack) => attack.code({ Origin: EVIL.replace("evil", "xevil") })],
  ["one with credentials before its name", (attack) => attack.code({ Origin: EVIL.replace("//", "//game@") })],
  ["two origins in one", (attack) => attack.code({ Origin: `${GAME} ${EVIL}` })],
  [
    "its code with another secret",
    async (attack, page) => ({
      ...(await attack.codeOf(page)),
      secret: (await good(attack)).secret,
    }),
  ],
  ["its code without a secret", async (attack, page) => ({ ...(await attack.codeOf(page)), secret: "" })],
  [
    "its code with a secret that is no text",
    async (attack, page) => ({ ...(await attack.codeOf(page)), secret: { length: 43 } }),
  ],
  [
    "its code with a secret of a megabyte",
    async (attack, page) => ({ ...(await attack.codeOf(page)), secret: "x".repeat(1e6) }),
  ],
  ["the origin that it claims, beside the code of another site", withPart({ origin: GAME, source: null })],
  ["a code that does not exist", async () => ({ latchkey: "code", code: "QQQQQQ", secret: "x".repeat(43) })],
  ["codes in a list", async (attack, page) => ({ ...(await attack.codeOf(page)), code: ["A", "B"] })],
  ["no code at all", async () => ({ latchkey: "shown" })],
  ["a text", async () => '{"latchkey":"code"}'],
  ["nothing", async () => null],
];

test.each(REFUSED)(
  "a page of another site sends %s: the window asks for letters, and no token comes",
  async (_, forge) => {
    const attack = await Attack.begin();
    const page = await openSite(attack.person, EVIL);
    const opened = await openWindow(page);
    await send(page, await forge(attack, page));
    await asksForLetters(opened);
    await attack.expectNoToken();
  },
);

/** Presses, if the window offers to sign in to GAME. */
async function signInToGame(opened: Page): Promise<void> {
  await signInButton(opened, GAME_SITE).click();
}

const honest = (page: Page) => windowOf(page, () => press(page, "Sign in"));
const greeted = (page: Page, { person }: Attack) => page.getByText(`Hello, ${person.username}`).waitFor();

test("a page that sends its own code is named, and what it sends later is not read", async () => {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, EVIL);
  const opened = await openWindow(page);
  await send(page, await attack.codeOf(page), await good(attack), await attack.codeOf(page));
  await signInButton(opened, EVIL_SITE).waitFor();
  await send(page, await good(attack));
  await opened.reload();
  await signInButton(opened, EVIL_SITE).waitFor();
  await attack.expectNoToken();
});

test("a flood of messages is one question", async () => {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, EVIL);
  const opened = await openWindow(page);
  let asked = 0;
  opened.on("request", (request) => request.method() === "POST" && asked++);
  const forged = await good(attack);
  await send(page, ...Array.from({ length: 2_000 }, () => forged));
  await asksForLetters(opened);
  expect(asked).toBe(1);
  await attack.expectNoToken();
});

test("of two pages that write to a window, only its opener counts", async () => {
  const attack = await Attack.begin();
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
  await greeted(game, attack);
  expect(await frame?.evaluate(() => JSON.stringify(Reflect.get(window, "received")))).toBe("[]");
  await attack.expectNoToken();
});

test("a page that has opened another learns nothing from it, and tells it nothing", async () => {
  const attack = await Attack.begin();
  const evil = await openSite(attack.person, EVIL);
  const game = await windowOf(evil, () =>
    evil.evaluate((address) => void Object.assign(window, { opened: window.open(address, "_blank") }), GAME),
  );
  await game.waitForFunction(() => document.title === "Ready");
  const opened = await honest(game);
  const code = await attack.code({ Origin: GAME });
  await evil.evaluate((got: Got) => {
    const target = Reflect.get(window, "opened") as Window;
    for (const message of [{ latchkey: "ready" }, { latchkey: "refused" }, got]) target.postMessage(message, "*");
  }, code);
  await signInToGame(opened);
  await greeted(game, attack);
  expect(await game.evaluate(() => Reflect.get(window, "shown"))).toEqual([]);
  expect(await evil.evaluate(() => Reflect.get(window, "received"))).toEqual([]);
  await attack.expectNoToken();
});

test("a page that becomes another site after it sent its code is named as what it was", async () => {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, EVIL);
  const opened = await openWindow(page);
  await send(page, await attack.codeOf(page));
  await page.goto(GAME);
  await signInButton(opened, EVIL_SITE).waitFor();
  expect(await signInButton(opened, GAME_SITE).count()).toBe(0);
  await attack.expectNoToken();
});

test("a page that becomes another site before it sends is what it is then", async () => {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, GAME);
  const opened = await openWindow(page);
  const code = await attack.codeOf(page);
  await page.goto(EVIL);
  await page.waitForFunction(() => document.title === "Ready");
  // It has no handle of the window, but the window has one of it.
  await opened.evaluate(() => (window.opener as Window).postMessage({ latchkey: "ready" }, "*"));
  await opened.evaluate((got) => window.postMessage(got, "*"), code);
  await asksForLetters(opened);
  await attack.expectNoToken();
});

test("a page in a frame that hides its site gets letters to show, and no window", async () => {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, EVIL);
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
  await attack.expectNoToken();
});

test("the window cannot be read, framed or asked by the page that opened it", async () => {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, EVIL);
  const opened = await openWindow(page);
  await send(page, await attack.codeOf(page));
  await signInButton(opened, EVIL_SITE).waitFor();
  const read = await page.evaluate(() =>
    ["document", "location.href", "history.length", "sessionStorage"].map((path) => {
      try {
        return String(path.split(".").reduce((on, name) => Reflect.get(on, name), Reflect.get(window, "opened")));
      } catch (error) {
        return (error as Error).name;
      }
    }),
  );
  expect(read).toEqual(Array(4).fill("SecurityError"));
  const framed = await page.evaluate(async (address) => {
    const frames = ["iframe", "object", "embed"].map((tag) => {
      const frame = document.createElement(tag);
      frame.setAttribute(tag === "object" ? "data" : "src", address);
      document.body.append(frame);
      return frame;
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return frames.length;
  }, `${origin}/link?popup=1`);
  expect(framed).toBe(3);
  // A frame that is refused is replaced by the browser's own page, at its own time.
  const shown = () =>
    Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.content().catch(() => "Connecting")),
    );
  await expect.poll(async () => (await shown()).join()).not.toContain("Connecting");
  await attack.expectNoToken();
});

test("no other page of the service keeps its opener, with a code in its address either", async () => {
  const attack = await Attack.begin();
  const page = await openSite(attack.person, EVIL);
  const { code } = await attack.codeOf(page);
  for (const path of ["/link", `/link?code=${code}`, "/account", "/signin"]) {
    const opened = await openWindow(page, path);
    await opened.waitForLoadState();
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    expect(await page.evaluate(() => (Reflect.get(window, "opened") as Window).closed)).toBe(true);
    await opened.close();
  }
  const opened = await openWindow(page, `/link?popup=1&code=${code}`);
  await opened.getByText("Connecting").waitFor();
  await send(page, await good(attack));
  await asksForLetters(opened);
  expect(await opened.getByLabel("Code").inputValue()).toBe("");
  await attack.expectNoToken();
});

test("who watches a link of another site learns and gets nothing without its secret", async () => {
  const attack = await Attack.begin();
  const game = await openSite(attack.person, GAME);
  const [issued] = await Promise.all([
    game.waitForResponse((response) => response.url().includes("/link/code")),
    honest(game).then(signInToGame),
  ]);
  const { code } = await issued.json();
  for (const path of ["/link/user", "/link/status"])
    for (const headers of [{}, { Origin: EVIL }, { Origin: GAME }, { "Link-Secret": "x".repeat(43) }] as Record<
      string,
      string
    >[]) {
      const { text } = await ask(path, { network: attack.person.network, query: { code }, headers });
      expect(text).toMatch(/^(?:\{"linked":false,"token":""\}|\{"status":"unknown"\})$/);
    }
  await greeted(game, attack);
});
