import type { Locator } from "playwright";
import { expect, test } from "vitest";
import { putFile } from "@/lib/files/create";
import { importDocument } from "@/lib/files/import";
import { db } from "@/lib/platform/db/client";
import { chunks, idOf as nthId, root, values } from "@/tests/support/documents";
import { ask, origin, raw } from "@/tests/support/http";
import { cookieOf, signedInAs, wordsOf } from "./confirming";
import { newOwner, storedFiles } from "./files-page";
import { windowOf } from "./on-page";

const SCRIPT = `document.title="ran:"+self.origin;try{document.title+=document.cookie}catch(e){}`;
const HOSTILE = {
  "x.html":
    `<!doctype html><title>still</title><script>${SCRIPT}</script><img src=x onerror='${SCRIPT}'><form ` +
    "action=/><button>b</button></form>",
  "x.svg":
    `<svg xmlns="http://www.w3.org/2000/svg" ` +
    `onload='${SCRIPT}'><title>still</title><script>${SCRIPT}</script></svg>`,
  "x.xhtml":
    `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>still</title></head>` +
    `<body><script>${SCRIPT}</script></body></html>`,
  "x.xml": `<?xml version="1.0"?><x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>${SCRIPT}</h:script></x>`,
};

const person = await newOwner("Box/", ["note.txt", "0123456789"], ...Object.entries(HOSTILE));
const owner = { ...person, cookie: await cookieOf(person) };
const idOf = async (path: string) => (await storedFiles(owner)).get(path)?.id ?? "";
const folder = await idOf("Box");

const OURS = { Origin: origin, "Content-Type": "application/octet-stream" };

/** A request with the cookies of somebody's browser, as our own page sends it, or another page or program. */
const send = (who: { cookie: string }, method: string, path: string, body?: string, headers: object = OURS) =>
  ask(path, { method, headers: { ...headers, Cookie: who.cookie }, body });

test("no file runs anything in our origin, looked at, opened or downloaded", async () => {
  const { page } = owner;
  for (const name of Object.keys(HOSTILE)) {
    await page.getByRole("link", { name, exact: true }).click();
    const tab = await windowOf(page, () => page.getByRole("link", { name: "Open in a new tab" }).click());
    await tab.waitForLoadState("networkidle");
    expect(await tab.title(), name).not.toContain("ran:");
    expect(await tab.evaluate(() => [self.origin, window.opener])).toEqual(["null", null]);
    await tab.close();
    expect(await page.title(), name).not.toContain("ran:");
    await page.keyboard.press("Escape");

    for (const save of ["", "&save"]) {
      const { headers } = await send(owner, "GET", `/files/content?id=${await idOf(name)}${save}`);
      expect(headers, name).toMatchObject({
        "content-security-policy": expect.stringMatching(/^sandbox; default-src 'none'/),
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "cross-origin-resource-policy": "same-origin",
        "content-type": expect.stringMatching(
          name === "x.svg" ? /^image\/svg\+xml$/ : /^(?:text\/plain; charset=utf-8|application\/octet-stream)$/,
        ),
      });
      expect(headers["content-encoding"]).toBeUndefined();
      if (save) expect(headers["content-disposition"]).toMatch(/^attachment;/);
    }
  }
  owner.expectCalm();
});

test("a name in any script is sent in ASCII, and no part of it becomes a header", async () => {
  const writer = await signedInAs("user");
  const location = `origin/(c) users/${writer.username}`;
  // The name that is told ends with the type of the entry.
  const told = {
    'a "b" \\ c': 'filename="a \\"b\\" \\\\ c.txt"',
    "x\r\nSet-Cookie: y\u0000": "filename=\"x??Set-Cookie: y?.txt\"; filename*=UTF-8''x%0D%0ASet-Cookie%3A%20y%00.txt",
    "half \ud800😀": "filename=\"half ???.txt\"; filename*=UTF-8''half%20%EF%BF%BD%F0%9F%98%80.txt",
  };
  const files = Object.keys(told).map((name, n) => ({ type: ".txt", name, location, data: "x", id: nthId(n + 2) }));
  const ids = files.map(({ id }) => id);
  await importDocument(writer, chunks(JSON.stringify([root(writer.username, ids), ...files].flatMap(values))));
  for (const [n, expected] of Object.values(told).entries()) {
    const { status, headers } = await send(writer, "GET", `/files/content?id=${nthId(n + 2)}&save`);
    const answered = [status, headers["content-disposition"], headers["set-cookie"]];
    expect(answered).toEqual([200, `attachment; ${expected}`, undefined]);
  }
});

const LARGE = { name: "large.txt", existing: "keep", totalBytes: 5_000_000, isText: true, modified: 0 };

test.each([
  ["PUT", "/files/uploads?folder=FOLDER&name=evil.txt&existing=keep&id=0123456789abcdef0123456789abcdef"],
  ["PUT", "/files/uploads/together"],
  ["POST", "/files/uploads/together"],
  ["POST", "/files/uploads"],
  ["POST", "/files/folders?folder=FOLDER&name=evil"],
  ["POST", "/files/import"],
  ["POST", "/files/archive"],
])("%s %s counts from our own pages only", async (method, path) => {
  const before = [...(await storedFiles(owner)).keys()];
  const large = { ...LARGE, folder, name: "evil.txt", totalBytes: 5, ids: [folder] };
  const data = path.endsWith("import") ? "[]" : JSON.stringify(large);
  for (const foreign of ["https://evil.example", "null", `${origin}.evil.example`, "http://127.0.0.1:1", undefined]) {
    const headers = { "Content-Type": "text/plain", ...(foreign && { Origin: foreign }) };
    const { status, text } = await send(owner, method, path.replace("FOLDER", folder), data, headers);
    expect([status, JSON.parse(text).code], foreign).toEqual([403, "foreign_origin"]);
  }
  expect([...(await storedFiles(owner)).keys()]).toEqual(before);
  expect(await db.fileDraft.count({ where: { userId: owner.id, refreshedAt: { not: null } } })).toBe(0);
});

test("without a session there is nothing, and with another's only 404s", async () => {
  const begun = await send(owner, "POST", "/files/uploads", JSON.stringify({ ...LARGE, folder }));
  const upload = `/files/uploads/${JSON.parse(begun.text).uploadId}`;
  const file = await idOf("x.html");
  const asked: [string, string][] = [
    ["GET", `/files/content?id=${file}`],
    ["GET", upload],
    ["PUT", `${upload}?offset=0`],
    ["POST", upload],
    ["DELETE", upload],
    ["PUT", `/files/uploads?folder=${folder}&name=evil.txt&existing=keep&id=0123456789abcdef0123456789abcdef`],
    ["POST", `/files/folders?folder=${folder}&name=evil`],
  ];
  const other = await signedInAs("user");
  for (const [method, path] of asked) {
    const { status } = await send(other, method, path, method === "PUT" ? "x" : undefined);
    expect(status, `${method} ${path}`).toBe(404);
  }
  expect(await wordsOf(`/files?folder=${folder}`, other.cookie)).toContain("Folder not found");
  for (const [method, path] of [...asked, ["GET", "/files/export"], ["POST", "/files/archive"]] as const) {
    const { status, text } = await send({ cookie: "" }, method, path);
    expect([status, JSON.parse(text).code], `${method} ${path}`).toEqual([401, "signed_out"]);
  }
  expect((await send(owner, "GET", upload)).status).toBe(200);
  expect((await send(owner, "DELETE", upload)).status).toBe(200);
  expect((await send(owner, "GET", upload)).status).toBe(404);
});

// tests/files has every refusal of a part, a file or several: here is what each route makes of a bad request.
test("what is too large, in the wrong place or nonsense is refused with a sentence", async () => {
  const begin = (sent: unknown) => send(owner, "POST", "/files/uploads", JSON.stringify(sent));
  const good = { ...LARGE, folder, name: "parts.bin", totalBytes: 10, isText: false };
  const { uploadId } = JSON.parse((await begin(good)).text);
  const put = (query: string, bytes: number) =>
    send(owner, "PUT", `/files/uploads/${uploadId}?${query}`, "\0".repeat(bytes));
  const whole = (query: string) => send(owner, "PUT", `/files/uploads?folder=&existing=keep&${query}`, "x");
  const together = (order: unknown, bytes: string) =>
    send(owner, "PUT", "/files/uploads/together", `${JSON.stringify(order)}\n${bytes}`);
  const compare = (names: unknown) => send(owner, "POST", "/files/uploads/together", JSON.stringify(names));
  const order = { folder, existing: "keep", files: [{ id: "0".repeat(32), name: "small.txt", size: 5 }] };
  for (const [answer, status] of [
    [await put("offset=0", 4_000_001), 413],
    [await put("offset=-1", 2), 400],
    [await begin({ ...good, folder: "x" }), 404],
    [await whole("name=.&id=0123456789abcdef0123456789abcdef"), 400],
    [await send(owner, "GET", "/files/content?id=%00"), 404],
    [await send(owner, "POST", "/files/archive", "{}"), 400],
    [await together(order, "x".repeat(4_000_000)), 413],
    [await send(owner, "PUT", "/files/uploads/together", "x"), 400],
    [await compare({ folder, names: Array(51).fill("a.txt") }), 400],
  ] as const) {
    expect(answer.status, answer.text).toBe(status);
    expect(JSON.parse(answer.text).error).toMatch(/\.$/);
  }
  expect((await together(order, "bytes")).text).toBe('{"files":[{}]}');
  expect((await put("offset=0", 10)).status).toBe(200);
  expect((await send(owner, "POST", `/files/uploads/${uploadId}`)).status).toBe(200);
  expect((await storedFiles(owner)).has("Box/parts.bin")).toBe(true);
});

const SECONDS = 10;
const RATE = 8_000;

/** A silent sound in the form of a WAV file: PCM, one channel, 8 bits. */
function sound(): Buffer {
  const bytes = SECONDS * RATE;
  const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  return Buffer.concat([
    ...[Buffer.from("RIFF"), number(36 + bytes), Buffer.from("WAVEfmt \x10\0\0\0\x01\0\x01\0")],
    ...[number(RATE), number(RATE), Buffer.from("\x01\0\x08\0data"), number(bytes), Buffer.alloc(bytes, 128)],
  ]);
}

const pathOf = async (name: string) => `/files/content?id=${await idOf(name)}`;
const get = (path: string, headers: object) => send(owner, "GET", path, undefined, { ...OURS, ...headers });
const read = async (headers: object) => get(await pathOf("note.txt"), headers);

test("a content has its length and a tag, and is sent in parts", async () => {
  const { status, headers, text } = await read({});
  const etag = String(headers.etag);
  expect([status, text, headers["content-length"]]).toEqual([200, "0123456789", "10"]);
  for (const [range, part, place] of [
    ["bytes=2-5", "2345", "2-5"],
    ["bytes=8-", "89", "8-9"],
    ["bytes=-3", "789", "7-9"],
    ["bytes=0-99", "0123456789", "0-9"],
  ]) {
    const answer = await read({ Range: String(range), "If-Range": etag });
    expect([answer.status, answer.text, answer.headers["content-range"]]).toEqual([206, part, `bytes ${place}/10`]);
  }
  const ranged = (headers: object) => read({ Range: "bytes=2-5", ...headers });
  const behind = await ranged({ Range: "bytes=10-", "If-Range": etag });
  expect([behind.status, behind.headers["content-range"]]).toEqual([416, "bytes */10"]);
  expect(await ranged({ "If-Range": '"another"' })).toMatchObject({ status: 200, text: "0123456789" });
  expect(await ranged({})).toMatchObject({ status: 200, text: "0123456789" });
  expect(await ranged({ "If-Match": etag })).toMatchObject({ status: 206, text: "2345" });
  expect(await ranged({ "User-Agent": "Wget/1.21.3" })).toMatchObject({ status: 412 });
  expect(await read({ "If-None-Match": etag })).toMatchObject({ status: 304, text: "" });
  await putFile(owner, undefined, { name: "note.txt", bytes: Buffer.from("9876543210"), onExisting: "replace" });
  expect(await read({ "If-None-Match": etag })).toMatchObject({ status: 200, text: "9876543210" });
});

test("a client of HTTP/1.0 can tell whether it got all of it", async () => {
  const sent = [`Host: ${new URL(origin).host}`, `Cookie: ${owner.cookie}`, `Origin: ${origin}`, "", ""];
  const answer = await raw([`GET ${await pathOf("note.txt")} HTTP/1.0`, ...sent].join("\r\n"));
  expect(answer).toMatch(/^HTTP\/1\.[01] 200 /);
  expect(answer).toMatch(/\r\ncontent-length: 10\r\n/i);
  expect(answer).not.toMatch(/transfer-encoding/i);
});

test("the document that a page exports has its length, too, and can be continued", async () => {
  const exported = (headers: object) => get("/files/export", headers);
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
  const tab = await windowOf(page, () => page.getByRole("link", { name: "Open in a new tab" }).click());
  await expectPlayed(tab.locator("video"));
  const address = new URL(tab.url());
  const part = async (headers: object) =>
    (await get(address.pathname + address.search, { Range: "bytes=40-43", ...headers })).status;
  expect(await part({ "Sec-Fetch-Dest": "video" })).toBe(206);
  expect(await part({ "User-Agent": "AppleCoreMedia/1.0.0 (iPhone; U)" })).toBe(206);
  // Programs would put it together with a part of what had this address before.
  expect(await part({ "User-Agent": "curl/8.5.0" })).toBe(200);
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
