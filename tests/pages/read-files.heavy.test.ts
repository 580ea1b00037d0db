import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beginUpload } from "@/lib/files/begin-upload";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { moveEntries } from "@/lib/files/move";
import { putFile } from "@/lib/files/put-file";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { addPart, finishUpload } from "@/lib/files/upload";
import { chunks, file, root, textOf, values } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { launchBrowser } from "./person";

const ENTRIES = 3_000;
const MOST_OUTPUT = { maxBuffer: 100_000_000 };
const PYTHON = `import gzip, sys, urllib.request
answer = urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={"Accept-Encoding": "gzip"}))
assert answer.headers["Content-Encoding"] == "gzip"
sys.stdout.buffer.write(gzip.decompress(answer.read()))`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const address = ({ token }: TestUser) => `${origin}/read-files?auth=${token}`;

/** The document as each of several programs that know nothing of us reads its gzip form. */
const readers: Record<string, (user: TestUser) => Promise<string>> = {
  curl: async (user) =>
    (await promisify(execFile)("curl", ["-sSf", "--compressed", address(user)], MOST_OUTPUT)).stdout,
  python: async (user) => (await promisify(execFile)("python3", ["-c", PYTHON, address(user)], MOST_OUTPUT)).stdout,
  undici: async (user) => {
    const answer = await fetch(address(user));
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    return answer.text();
  },
  gzip: async (user) => {
    const { bytes } = await ask("/read-files", { query: { auth: user.token }, headers: { "Accept-Encoding": "gzip" } });
    execFileSync("gzip", ["-t"], { input: bytes });
    return execFileSync("gzip", ["-dc"], { input: bytes, ...MOST_OUTPUT }).toString();
  },
  chromium: async (user) => {
    const page = await browser.newPage();
    await page.goto(`${origin}/openapi.json`);
    const [encoding, text] = await page.evaluate(async (url) => {
      const answer = await fetch(url);
      return [answer.headers.get("content-encoding"), await answer.text()];
    }, address(user));
    await page.close();
    expect(encoding).toBe("gzip");
    return text ?? "";
  },
};

/** Every program reads what we have stored, and the plain form is that too. */
async function expectReadable(user: TestUser): Promise<void> {
  const stored = await textOf(await exportDocument(user.id));
  const plain = await ask("/read-files", { query: { auth: user.token } });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.text).toBe(stored);
  expect(JSON.parse(plain.text).length % 14).toBe(0);
  for (const [name, read] of Object.entries(readers))
    expect([name, (await read(user)) === stored]).toEqual([name, true]);
}

test("What single writes have made of a document is read alike by curl, Chromium, undici, Python and gzip", {
  timeout: 400_000,
}, async () => {
  const user = await makeUser();
  const many = Array.from({ length: ENTRIES }, (_, n) =>
    values(file(user.username, n + 2, `${n} ä\u{1F511} `.repeat(n % 40))),
  );
  await importDocument(user, chunks(JSON.stringify([...values(root(user.username)), ...many.flat()])));
  await expectReadable(user);

  const put = (name: string, text: string, folder?: string) =>
    putFile(user, folder, { name, bytes: Buffer.from(text), onExisting: "keep" });
  const folder = await createFolder(user, undefined, "folder");
  const made: string[] = [];
  for (let n = 0; n < 25; n++)
    made.push((await put(`${n % 7}.txt`, `${n} "\\\n`.repeat(n * 3_000), n % 2 ? folder.id : undefined)).id);
  await expectReadable(user);

  const { uploadId } = await beginUpload(user, folder.id, {
    name: "data.bin",
    totalBytes: 1_000_000,
    isText: false,
    onExisting: "refuse",
  });
  for (let offset = 0; offset < 1_000_000; offset += 250_000)
    await addPart(user, uploadId, offset, Buffer.alloc(250_000, offset));
  await finishUpload(user, uploadId);
  for (const [n, id] of made.slice(0, 10).entries()) await renameEntry(user, id, `renamed ${n}.txt`);
  await moveEntries(user, made.slice(5, 20), folder.id, "keep");
  await renameEntry(user, folder.id, "renamed folder");
  await expectReadable(user);

  await deleteEntries(user, made.slice(0, 12));
  await restoreEntries(user, await deleteEntries(user, [folder.id]));
  for (const id of made.slice(12, 18)) await deleteEntries(user, [id]);
  await expectReadable(user);
});
