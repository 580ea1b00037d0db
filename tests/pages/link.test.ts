import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, smallDocument } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { enter, link, plate, startProgram } from "./link-program";
import { button, heading, press, pressTo, told } from "./on-page";
import { newSignedIn, newVisitor } from "./visitor";

const window = await newVisitor();
const { page, network, expectCalm } = window;

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

test("a program that asks for an access gets a token of its own with no more", async () => {
  const user = await newSignedIn(window);
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
  const program = await startProgram(network, { name: "MyTool", access: "read" });
  await page.goto(program.page);
  await heading(page, `Link MyTool to ${user.username}?`);
  await told(page, "It can read your keys and files, and change nothing.");
  await press(page, "Link this program");
  const token = await program.token();
  await told(page, `It can now read the keys and files of ${user.username}.`);
  const send = (path: string, query = {}) => ask(path, { query: { auth: token, ...query }, network });
  expect((await send("/read-files")).status).toBe(200);
  expect((await send("/keys/create", { data: "x", price: "1" })).body?.code).toBe("token_access");
  expectCalm();
});

test("the page waits for its own request only, and no other browser does", async () => {
  const { context } = window;
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

const GAME = { Origin: "https://game.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };

test.each([
  ["a program", {}],
  ["one with a long name and an access", { query: { name: "W".repeat(40), access: "read" } }],
  ["a web page", { headers: GAME }],
  [
    "one on another network, which hides its address",
    { headers: { ...GAME, Origin: "null" }, network: newNetwork().id },
  ],
])("the decision about %s is in sight, without scrolling", async (_, request) => {
  await newSignedIn(window);
  const { body } = await ask("/link/code", { network, ...request });
  await enter(page, String(body?.code));
  const decision = button(page, "Link this program");
  await decision.waitFor();
  for (const [width, height] of [
    [360, 640],
    [375, 740],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const { y, height: tall } = (await decision.boundingBox()) ?? { y: height, height: 0 };
    expect(y + tall, `${width} × ${height}`).toBeLessThanOrEqual(height);
  }
});

test("a denied program, its code entered as an address, gets nothing, and the page tells the person", async () => {
  await newSignedIn(window);
  const program = await startProgram(network);
  await enter(page, `${origin}/link?code=${program.code}`);
  await pressTo(page, "Deny", "Denied");
  expect(await program.poll()).toEqual({ linked: false, token: "" });
});
