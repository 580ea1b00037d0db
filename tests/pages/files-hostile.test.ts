import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { db } from "@/lib/platform/db/client";
import { chunks, idOf as nthId, root, values } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { cookieOf, signedInAs, wordsOf } from "./confirming";
import { newOwner, storedFiles } from "./files-page";

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

const owner = await newOwner("Box/", ...Object.entries(HOSTILE));
const person = { ...owner, cookie: await cookieOf(owner) };
const idOf = async (path: string) => (await storedFiles(person)).get(path)?.id ?? "";
const folder = await idOf("Box");

const OURS = { Origin: origin, "Content-Type": "application/octet-stream" };

/** A request with the cookies of somebody's browser, as our own page sends it, or another page or program. */
const send = (who: { cookie: string }, method: string, path: string, body?: string, headers: object = OURS) =>
  ask(path, { method, headers: { ...headers, Cookie: who.cookie }, body });

test("no file runs anything in our origin, looked at, opened or downloaded", async () => {
  const { page } = person;
  for (const name of Object.keys(HOSTILE)) {
    await page.getByRole("link", { name, exact: true }).click();
    const [tab] = await Promise.all([
      person.context.waitForEvent("page"),
      page.getByRole("link", { name: "Open in a new tab" }).click(),
    ]);
    await tab.waitForLoadState("networkidle");
    expect(await tab.title(), name).not.toContain("ran:");
    expect(await tab.evaluate(() => [self.origin, window.opener])).toEqual(["null", null]);
    await tab.close();
    expect(await page.title(), name).not.toContain("ran:");
    await page.keyboard.press("Escape");

    for (const save of ["", "&save"]) {
      const { headers } = await send(person, "GET", `/files/content?id=${await idOf(name)}${save}`);
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
  person.expectCalm();
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
  const before = [...(await storedFiles(person)).keys()];
  const large = { ...LARGE, folder, name: "evil.txt", totalBytes: 5, ids: [folder] };
  const data = path.endsWith("import") ? "[]" : JSON.stringify(large);
  for (const foreign of ["https://evil.example", "null", `${origin}.evil.example`, "http://127.0.0.1:1", undefined]) {
    const headers = { "Content-Type": "text/plain", ...(foreign && { Origin: foreign }) };
    const { status, text } = await send(person, method, path.replace("FOLDER", folder), data, headers);
    expect([status, JSON.parse(text).code], foreign).toEqual([403, "foreign_origin"]);
  }
  expect([...(await storedFiles(person)).keys()]).toEqual(before);
  expect(await db.fileDraft.count({ where: { userId: person.id, refreshedAt: { not: null } } })).toBe(0);
});

test("without a session there is nothing, and with another's only 404s", async () => {
  const begun = await send(person, "POST", "/files/uploads", JSON.stringify({ ...LARGE, folder }));
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
  expect((await send(person, "GET", upload)).status).toBe(200);
  expect((await send(person, "DELETE", upload)).status).toBe(200);
  expect((await send(person, "GET", upload)).status).toBe(404);
});

// tests/files has every refusal of a part, a file or several: here is what each route makes of a bad request.
test("what is too large, in the wrong place or nonsense is refused with a sentence", async () => {
  const begin = (sent: unknown) => send(person, "POST", "/files/uploads", JSON.stringify(sent));
  const good = { ...LARGE, folder, name: "parts.bin", totalBytes: 10, isText: false };
  const { uploadId } = JSON.parse((await begin(good)).text);
  const put = (query: string, bytes: number) =>
    send(person, "PUT", `/files/uploads/${uploadId}?${query}`, "\0".repeat(bytes));
  const whole = (query: string) => send(person, "PUT", `/files/uploads?folder=&existing=keep&${query}`, "x");
  const together = (order: unknown, bytes: string) =>
    send(person, "PUT", "/files/uploads/together", `${JSON.stringify(order)}\n${bytes}`);
  const compare = (names: unknown) => send(person, "POST", "/files/uploads/together", JSON.stringify(names));
  const small = { id: "0".repeat(32), name: "small.txt", size: 5 };
  const order = { folder, existing: "keep", files: [small] };
  for (const [answer, status] of [
    [await put("offset=0", 4_000_001), 413],
    [await put("offset=-1", 2), 400],
    [await put("", 2), 400],
    [await begin(null), 400],
    [await begin({ ...good, modified: 2 ** 60 }), 400],
    [await begin({ ...good, name: "a/b" }), 400],
    [await begin({ ...good, folder: "x" }), 404],
    [await whole("name=a.txt&id=x"), 400],
    [await whole("name=.&id=0123456789abcdef0123456789abcdef"), 400],
    [await send(person, "GET", "/files/content?id=%00"), 404],
    [await send(person, "GET", "/files/content"), 404],
    [await send(person, "POST", "/files/archive", "{}"), 400],
    [await together(order, "four"), 400],
    [await together({ ...order, files: [{ ...small, size: -1 }] }, ""), 400],
    [await together({ ...order, folder: "x" }, "bytes"), 404],
    [await together(order, "x".repeat(4_000_000)), 413],
    [await send(person, "PUT", "/files/uploads/together", "x"), 400],
    [await compare({ folder: "x", names: ["a.txt"] }), 404],
    [await compare({ folder, names: Array(51).fill("a.txt") }), 400],
  ] as const) {
    expect(answer.status, answer.text).toBe(status);
    expect(JSON.parse(answer.text).error).toMatch(/\.$/);
  }
  expect((await together(order, "bytes")).text).toBe('{"files":[{}]}');
  expect((await put("offset=0", 10)).status).toBe(200);
  expect((await send(person, "POST", `/files/uploads/${uploadId}`)).status).toBe(200);
  expect((await storedFiles(person)).has("Box/parts.bin")).toBe(true);
});
