import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { importDocument } from "@/lib/files/import";
import { chunks, idOf as nthId, root, values } from "@/tests/support/documents";
import { origin } from "@/tests/support/http";
import { makeFolder, newOwner, row, storedFiles, textFile, uploadFiles } from "./files-page";
import { launchBrowser, type Person } from "./person";
import { openReady, reloadReady } from "./visitor";

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

let browser: Browser;
let person: Person;
let page: Page;
let folder: string;
beforeAll(async () => {
  browser = await launchBrowser();
  person = await newOwner(browser);
  page = person.page;
  await makeFolder(page, "Box");
  await uploadFiles(
    page,
    Object.entries(HOSTILE).map(([name, text]) => textFile(name, text)),
    Object.keys(HOSTILE).length,
  );
  folder = await idOf("Box");
});
afterAll(() => browser?.close());

async function idOf(path: string): Promise<string> {
  return (await storedFiles(person)).get(path)?.id ?? "";
}

/** A request with the cookies of somebody's browser, as another page or program would send it. */
async function send(
  who: Person,
  method: string,
  path: string,
  { headers = {}, data }: { headers?: Record<string, string>; data?: string | Buffer } = {},
) {
  const answer = await who.context.request.fetch(path, {
    method,
    headers,
    data,
    failOnStatusCode: false,
    maxRedirects: 0,
  });
  return { status: answer.status(), headers: answer.headers(), text: await answer.text().catch(() => "") };
}

test.each(Object.keys(HOSTILE))("%s runs nothing in our origin, opened or downloaded", async (name) => {
  await openReady(page, "/files");
  await page.getByRole("link", { name, exact: true }).click();
  const [tab] = await Promise.all([
    person.context.waitForEvent("page"),
    page.getByRole("link", { name: "Open in a new tab" }).click(),
  ]);
  await tab.waitForLoadState();
  await tab.waitForTimeout(300);
  expect(await tab.title()).not.toContain("ran:");
  expect(await tab.evaluate(() => self.origin)).toBe("null");
  expect(await tab.evaluate(() => window.opener)).toBe(null);
  await tab.close();
  await page.keyboard.press("Escape");

  for (const save of ["", "&save"]) {
    const { headers } = await send(person, "GET", `/files/content?id=${await idOf(name)}${save}`);
    expect(headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect(headers["content-type"]).toMatch(
      name === "x.svg" ? /^image\/svg\+xml$/ : /^(?:text\/plain; charset=utf-8|application\/octet-stream)$/,
    );
    if (save) expect(headers["content-disposition"]).toMatch(/^attachment;/);
  }
});

test("the tree of Move shows the first 1,000 of many folders, and says so", async () => {
  const owner = await newOwner(browser);
  const { page, username } = owner;
  const location = `origin/(c) users/${username}`;
  const ids = Array.from({ length: 1_010 }, (_, n) => nthId(n + 2));
  const folders = ids.flatMap((id, n) => values({ type: ".folder", name: `folder ${n}`, location, data: [], id }));
  await importDocument(owner, chunks(JSON.stringify([...values(root(username, ids)), ...folders])));
  await reloadReady(page);
  await row(page, "folder 0").getByRole("checkbox").check();
  await page.getByRole("toolbar").getByRole("button", { name: "Move" }).click();
  const tree = page.getByRole("dialog");
  await tree.getByText("Only the first 1,000 folders are shown.").waitFor();
  // "All files" is one more, and what is moved is not shown.
  expect(await tree.getByRole("radio").count()).toBe(1_000);
  await owner.context.close();
});

test("a name in any script is sent in ASCII, and no part of it becomes a header", async () => {
  const owner = await newOwner(browser);
  const location = `origin/(c) users/${owner.username}`;
  // The name that is told ends with the type of the entry.
  const told = {
    plain: "filename=plain.txt",
    'a "b" \\ c': 'filename="a \\"b\\" \\\\ c.txt"',
    "é😀": "filename=\"???.txt\"; filename*=UTF-8''%C3%A9%F0%9F%98%80.txt",
    "x\r\nSet-Cookie: y\u0000": "filename=\"x??Set-Cookie: y?.txt\"; filename*=UTF-8''x%0D%0ASet-Cookie%3A%20y%00.txt",
    "50%41": "filename=50%41.txt; filename*=UTF-8''50%2541.txt",
    "half \ud800": "filename=\"half ?.txt\"; filename*=UTF-8''half%20%EF%BF%BD.txt",
  };
  const ids = Object.keys(told).map((_, n) => nthId(n + 2));
  const files = Object.keys(told).flatMap((name, n) =>
    values({ type: ".txt", name, location, data: "x", id: nthId(n + 2) }),
  );
  await importDocument(owner, chunks(JSON.stringify([...values(root(owner.username, ids)), ...files])));
  for (const [n, expected] of Object.values(told).entries()) {
    const { status, headers } = await send(owner, "GET", `/files/content?id=${ids[n]}&save`);
    expect([status, headers["content-disposition"], headers["set-cookie"]]).toEqual([
      200,
      `attachment; ${expected}`,
      undefined,
    ]);
  }
  await owner.context.close();
});

const CHANGES: [string, string][] = [
  ["PUT", "/files/uploads?folder=FOLDER&name=evil.txt&existing=keep&id=0123456789abcdef0123456789abcdef"],
  ["PUT", "/files/uploads/together"],
  ["POST", "/files/uploads"],
  ["POST", "/files/folders?folder=FOLDER&name=evil"],
  ["POST", "/files/import"],
];
test.each(CHANGES)("%s %s counts from our own pages only", async (method, path) => {
  const before = [...(await storedFiles(person)).keys()];
  const data = path.endsWith("import")
    ? "[]"
    : JSON.stringify({ folder, name: "evil.txt", existing: "keep", totalBytes: 5, isText: true, modified: 0 });
  for (const foreign of ["https://evil.example", "null", `${origin}.evil.example`, "http://127.0.0.1:1", undefined]) {
    const headers = { "Content-Type": "text/plain", ...(foreign && { Origin: foreign }) };
    const { status, text } = await send(person, method, path.replace("FOLDER", folder), { headers, data });
    expect([status, JSON.parse(text).code], foreign).toEqual([403, "foreign_origin"]);
  }
  expect([...(await storedFiles(person)).keys()]).toEqual(before);
  expect(await db.fileDraft.count({ where: { userId: person.id, refreshedAt: { not: null } } })).toBe(0);
});

test("without a session there is nothing, and with another's only 404s", async () => {
  const begun = await send(person, "POST", "/files/uploads", {
    headers: { Origin: origin, "Content-Type": "text/plain" },
    data: JSON.stringify({
      folder,
      name: "large.txt",
      existing: "keep",
      totalBytes: 5_000_000,
      isText: true,
      modified: 0,
    }),
  });
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
  const other = await newOwner(browser);
  await uploadFiles(other.page, textFile("own.txt"));
  for (const [method, path] of asked) {
    const headers = { Origin: origin, "Content-Type": "text/plain" };
    const { status } = await send(other, method, path, { headers, ...(method === "PUT" && { data: "x" }) });
    expect(status, `${method} ${path}`).toBe(404);
  }
  await other.page.goto(`/files?folder=${folder}`);
  await other.page.getByRole("heading", { name: "Folder not found" }).waitFor();
  await other.context.clearCookies();
  for (const [method, path] of [...asked, ["GET", "/files/export"] as const]) {
    const { status, text } = await send(other, method, path, { headers: { Origin: origin } });
    expect([status, JSON.parse(text).code], `${method} ${path}`).toEqual([401, "signed_out"]);
  }
  expect((await send(person, "GET", upload)).status).toBe(200);
  expect((await send(person, "DELETE", upload, { headers: { Origin: origin } })).status).toBe(200);
  expect((await send(person, "GET", upload)).status).toBe(404);
});

test("parts that are too large, in the wrong place or of nonsense are refused with a sentence", async () => {
  const headers = { Origin: origin, "Content-Type": "application/octet-stream" };
  const begin = (sent: unknown) =>
    send(person, "POST", "/files/uploads", { headers, data: typeof sent === "string" ? sent : JSON.stringify(sent) });
  const good = { folder, name: "parts.bin", existing: "keep", totalBytes: 10, isText: false, modified: 0 };
  const { uploadId } = JSON.parse((await begin(good)).text);
  const put = (query: string, data: Buffer) =>
    send(person, "PUT", `/files/uploads/${uploadId}?${query}`, { headers, data });
  const whole = (query: string) =>
    send(person, "PUT", `/files/uploads?folder=&existing=keep&${query}`, { headers, data: "x" });
  for (const [answer, status] of [
    [await put("offset=0", Buffer.alloc(4_000_001)), 413],
    [await put("offset=3", Buffer.alloc(2)), 409],
    [await put("offset=-1", Buffer.alloc(2)), 400],
    [await put("", Buffer.alloc(2)), 400],
    [await begin("{"), 400],
    [await begin("null"), 400],
    [await begin({ ...good, totalBytes: -1 }), 400],
    [await begin({ ...good, modified: 2 ** 60 }), 400],
    [await begin({ ...good, name: "a/b" }), 400],
    [await begin({ ...good, folder: "x" }), 404],
    [await whole("name=a.txt&id=x"), 400],
    [await whole("name=.&id=0123456789abcdef0123456789abcdef"), 400],
    [await send(person, "GET", "/files/content?id=%00"), 404],
    [await send(person, "GET", "/files/content"), 404],
  ] as const) {
    expect(answer.status, answer.text).toBe(status);
    expect(JSON.parse(answer.text).error).toMatch(/\.$/);
  }
  const together = (order: unknown, bytes: string) =>
    send(person, "PUT", "/files/uploads/together", { headers, data: `${JSON.stringify(order)}\n${bytes}` });
  const small = { id: "0".repeat(32), name: "small.txt", size: 5 };
  const order = { folder, existing: "keep", files: [small] };
  for (const [answer, status] of [
    [await together(order, "four"), 400],
    [await together(order, "six ch"), 400],
    [await together({ ...order, files: [{ ...small, size: -1 }] }, ""), 400],
    [await together({ ...order, files: [{ ...small, id: "x" }] }, "bytes"), 400],
    [await together({ ...order, files: Array(51).fill({ ...small, size: 0 }) }, ""), 400],
    [await together({ ...order, folder: "x" }, "bytes"), 404],
    [await together(order, "x".repeat(4_000_000)), 413],
    [await send(person, "PUT", "/files/uploads/together", { headers, data: "x" }), 400],
  ] as const) {
    expect(answer.status, answer.text).toBe(status);
    expect(JSON.parse(answer.text).error).toMatch(/\.$/);
  }
  expect((await storedFiles(person)).has("Box/small.txt")).toBe(false);
  expect((await together(order, "bytes")).text).toBe('{"files":[{}]}');
  expect((await put("offset=0", Buffer.alloc(10))).status).toBe(200);
  expect((await send(person, "POST", `/files/uploads/${uploadId}`, { headers })).status).toBe(200);
  expect((await storedFiles(person)).has("Box/parts.bin")).toBe(true);
});
