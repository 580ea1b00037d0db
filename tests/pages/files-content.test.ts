import { once } from "node:events";
import { connect } from "node:net";
import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { putFile } from "@/lib/files/create";
import { ask, origin } from "@/tests/support/http";
import { cookieOf } from "./confirming";
import { newOwner, storedFiles } from "./files-page";

const SECONDS = 10;
const RATE = 8_000;

/** A silent sound in the form of a WAV file. */
function sound(): Buffer {
  const head = Buffer.alloc(44);
  const bytes = SECONDS * RATE;
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  // PCM, one channel, 8 bits.
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes, 128)]);
}

const owner = await newOwner(["note.txt", "0123456789"]);
const cookie = await cookieOf(owner);
const pathOf = async (name: string) => `/files/content?id=${(await storedFiles(owner)).get(name)?.id}`;
const read = async (headers: Record<string, string>) =>
  ask(await pathOf("note.txt"), { headers: { Origin: origin, Cookie: cookie, ...headers } });

test("a content has its length and a tag, and is sent in parts", async () => {
  const { status, headers, text } = await read({});
  const etag = String(headers.etag);
  expect([status, text, headers["content-length"], headers["accept-ranges"]]).toEqual([
    200,
    "0123456789",
    "10",
    "bytes",
  ]);
  for (const [range, part, place] of [
    ["bytes=2-5", "2345", "2-5"],
    ["bytes=8-", "89", "8-9"],
    ["bytes=-3", "789", "7-9"],
    ["bytes=0-99", "0123456789", "0-9"],
  ]) {
    const answer = await read({ Range: String(range), "If-Range": etag });
    expect([answer.status, answer.text, answer.headers["content-range"]]).toEqual([206, part, `bytes ${place}/10`]);
  }
  expect(await read({ Range: "bytes=10-", "If-Range": etag })).toMatchObject({
    status: 416,
    headers: { "content-range": "bytes */10" },
  });
  expect(await read({ Range: "bytes=2-5", "If-Range": '"another"' })).toMatchObject({
    status: 200,
    text: "0123456789",
  });
  expect(await read({ Range: "bytes=2-5" })).toMatchObject({ status: 200, text: "0123456789" });
  expect(await read({ Range: "bytes=2-5", "If-Match": etag })).toMatchObject({ status: 206, text: "2345" });
  expect(await read({ Range: "bytes=2-5", "User-Agent": "Wget/1.21.3" })).toMatchObject({ status: 412 });
  expect(await read({ "If-None-Match": etag })).toMatchObject({ status: 304, text: "" });
});

test("what a file holds has another tag once it is another", async () => {
  const before = (await read({})).headers.etag;
  await putFile(owner, undefined, { name: "note.txt", bytes: Buffer.from("9876543210"), onExisting: "replace" });
  const after = await read({ "If-None-Match": String(before) });
  expect([after.status, after.text]).toEqual([200, "9876543210"]);
});

test("a client of HTTP/1.0 can tell whether it got all of it", async () => {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${await pathOf("note.txt")} HTTP/1.0\r\nHost: ${host}\r\nCookie: ${cookie}\r\nOrigin: ${origin}\r\n\r\n`,
  );
  let answer = "";
  socket.setEncoding("latin1").on("data", (data) => (answer += data));
  await once(socket, "close");
  expect(answer).toMatch(/^HTTP\/1\.[01] 200 /);
  expect(answer).toMatch(/\r\ncontent-length: 10\r\n/i);
  expect(answer).not.toMatch(/transfer-encoding/i);
});

test("the document that a page exports has its length, too, and can be continued", async () => {
  const exported = (headers: object) =>
    ask("/files/export", { headers: { Origin: origin, Cookie: cookie, ...headers } });
  const whole = await exported({});
  expect(whole).toMatchObject({ status: 200, headers: { "content-length": String(Buffer.byteLength(whole.text)) } });
  const rest = await exported({ Range: "bytes=5-", "If-Range": String(whole.headers.etag) });
  expect([rest.status, rest.text]).toEqual([206, whole.text.slice(5)]);
});

test("a sound says how long it is, and is played from any place", async () => {
  await putFile(owner, undefined, { name: "sound.wav", bytes: sound(), onExisting: "refuse" });
  const { page } = owner;
  await page.reload();
  await page.getByRole("link", { name: "sound.wav", exact: true }).click();
  await expectPlayed(page.locator("audio"));
  // Chromium shows it in a player of its own there.
  const [tab] = await Promise.all([
    owner.context.waitForEvent("page"),
    page.getByRole("link", { name: "Open in a new tab" }).click(),
  ]);
  await expectPlayed(tab.locator("video"));
  const address = new URL(tab.url());
  const part = (headers: Record<string, string>) =>
    ask(address.pathname + address.search, {
      headers: { Origin: origin, Cookie: cookie, Range: "bytes=40-43", ...headers },
    });
  expect((await part({ "Sec-Fetch-Dest": "video" })).status).toBe(206);
  expect((await part({ "User-Agent": "AppleCoreMedia/1.0.0 (iPhone; U)" })).status).toBe(206);
  // Programs would put it together with a part of what had this address before.
  expect((await part({ "User-Agent": "curl/8.5.0" })).status).toBe(200);
  expect((await part({ "User-Agent": "Wget/1.21.3" })).status).toBe(412);
  owner.expectCalm();
});

async function expectPlayed(player: Locator): Promise<void> {
  await expect.poll(() => player.evaluate((one: HTMLMediaElement) => one.duration)).toBe(SECONDS);
  const soughtTo = await player.evaluate(async (one: HTMLMediaElement) => {
    const sought = new Promise((resolve) => one.addEventListener("seeked", resolve, { once: true }));
    // In a tab of its own, it plays at once.
    one.pause();
    one.currentTime = 8;
    await sought;
    return one.currentTime;
  });
  expect(soughtTo).toBe(8);
}
