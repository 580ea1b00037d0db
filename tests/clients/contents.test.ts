import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { pull } from "@/clients/cli/src/pull/pull";
import { Latchkey } from "@/clients/typescript/src/latchkey";
import { importDocument } from "@/lib/files/import";
import { exportDocument, readFile } from "@/lib/files/read";
import { zipEntries } from "@/lib/files/zip";
import { bundled } from "@/scripts/bundled.mjs";
import { bytesOf, chunks, file, idOf, root, textOf, values } from "@/tests/support/documents";
import { inParts, origin } from "@/tests/support/http";
import { entriesOf } from "@/tests/support/indexed";
import { unzipped } from "@/tests/support/unzip";
import { makeUser, type TestUser } from "@/tests/support/user";
import { PythonClient, TypeScriptClient } from "./clients";

interface Vector {
  what: string;
  /** The JSON text of an entry's data. */
  stored: string;
  /** The content, in one of two forms. */
  text?: string;
  base64?: string;
}
const vectors: Vector[] = JSON.parse(readFileSync("clients/contents.json", "utf8"));
const TYPE = ".bin";

/** What each reader makes of the contents, by the name of the entry, in base64. */
const READERS: Record<string, (user: TestUser) => Promise<(n: number) => Promise<Buffer> | Buffer | undefined>> = {
  "the service": async (user) => async (n) => bytesOf((await readFile(user.id, idOf(n + 2))).bytes()),
  "a ZIP": async (user) => {
    const ids = vectors.map((_, n) => idOf(n + 2));
    const found = new Map(await unzipped(await zipEntries(user, ids), "base64"));
    return (n) => Buffer.from(found.get(`${n}${TYPE}`) ?? "missing", "base64");
  },
  "the TypeScript client": async (user) => {
    const found: Buffer[] = [];
    for await (const entry of (await new Latchkey(origin, { token: user.token }).files.read()) ?? [])
      if (!entry.isFolder) found[Number(entry.name)] = await bytesOf(entry.bytes());
    return (n) => found[n];
  },
  "the Python client": async (user) => {
    using client = new PythonClient(origin, user.token);
    const { answer, error } = await client.call("files.bytes");
    expect(error).toBeUndefined();
    const found = answer as Record<string, string>;
    return (n) => Buffer.from(found[n] ?? "missing", "base64");
  },
  "latchkey files cat": async (user) => {
    const env = { ...process.env, LATCHKEY_ADDRESS: origin, LATCHKEY_TOKEN: user.token };
    const program = await bundled("clients/cli/src/main.ts");
    const cat = (n: number) => [program, "files", "cat", `${n}${TYPE}`];
    return async (n) => (await promisify(execFile)(process.execPath, cat(n), { env, encoding: "buffer" })).stdout;
  },
  "latchkey files pull": async (user) => {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-contents-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await pull(new Latchkey(origin, { token: user.token }), folder);
    return (n) => readFileSync(join(folder, `${n}${TYPE}`));
  },
};

/** A user with an entry of each data, its name the number of it. */
async function userWith(stored: string[]): Promise<TestUser> {
  const user = await makeUser();
  const entries = stored.map((_, n) => ({ ...file(user.username, n + 2, `data ${n}`, `${n}`), type: TYPE }));
  const ids = entries.map(({ id }) => id);
  const document = JSON.stringify([root(user.username, ids), ...entries].flatMap(values));
  const text = document.replace(/"data (\d+)"/g, (_, n: string) => stored[Number(n)] ?? "");
  await importDocument(user, chunks(text));
  return user;
}

test.each(Object.entries(READERS))("%s reads every content as the contract says", async (_, reader) => {
  const user = await userWith(vectors.map(({ stored }) => stored));
  const contentOf = await reader(user);
  await inParts([...vectors.entries()], async ([n, { what, text, base64 }]) => {
    const wanted = text === undefined ? Buffer.from(base64 ?? "", "base64") : Buffer.from(text);
    expect((await contentOf(n))?.toString("latin1"), what).toBe(wanted.toString("latin1"));
  });
});

test("what turns out to be text after megabytes is pulled whole, and refused as bytes by the library", async () => {
  const texts = ["!", "=", "A", "\u00e9"].map((end) => `data:;base64,${"A".repeat(9_000_000)}${end}`);
  const user = await userWith(texts.map((text) => JSON.stringify(text)));
  const pulled = await READERS["latchkey files pull"]?.(user);
  for (const [n, text] of texts.entries())
    expect((await pulled?.(n))?.equals(Buffer.from(text)), text.slice(-1)).toBe(true);
  for await (const entry of (await new Latchkey(origin, { token: user.token }).files.read()) ?? [])
    if (!entry.isFolder) await expect(bytesOf(entry.bytes())).rejects.toMatchObject({ code: "not_base64" });
});

/** JSON that no page of ours writes. */
const ODD = [
  ...[
    "1e400",
    "-1e400",
    "9".repeat(500),
    `0.${"0".repeat(500)}1`,
    "-0",
    "1E+2",
    "true",
    "null",
    '""',
    '" 1"',
    "[]",
    "{}",
  ],
  ...['"\\ud83d"', '"\\ude00\\ud83d"', '"\\u0000"', '"\\ufeff"', '"\\uffff"', '"/"', '".."', '"a\\\\b"', '"a b"'],
  ...[[64, 99].map((depth) => "[".repeat(depth) + "]".repeat(depth)), [`["${"\\\\".repeat(50)}"]`]].flat(),
  ...[65, 256, 1_000, 300_000, 1_048_574, 1_048_575].flatMap((length) => [
    `"${"x".repeat(length)}"`,
    `["${"x".repeat(length)}"]`,
  ]),
];

test("what an import takes, however odd, every client reads, and what comes after it", async () => {
  const user = await makeUser();
  const odd = Array.from({ length: 14 }, (_, place) => ODD.map((json) => ({ place, json }))).flat();
  const entries = odd.map(({ place, json }, n) => {
    const plain = values({ ...file(user.username, n + 2, "text", `${n}`), type: TYPE }).map((one) =>
      JSON.stringify(one),
    );
    return plain.with(place, json).join();
  });
  const document = `[${[
    values(root(user.username))
      .map((one) => JSON.stringify(one))
      .join(),
    ...entries,
  ].join()}]`;
  await importDocument(user, chunks(document), { leaving: "any" });
  const served = entriesOf(JSON.parse(await textOf(await exportDocument(user.id)))).map((entry) => entry[13]);
  expect(served.length).toBeGreaterThan(odd.length / 2);

  const [typescript, python] = [new TypeScriptClient(origin, user.token), new PythonClient(origin, user.token)];
  onTestFinished(() => python[Symbol.dispose]());
  for (const client of [typescript, python]) {
    const { answer, error } = await client.call("files.read");
    expect(error).toBeUndefined();
    expect((answer as { entries: unknown[][] }).entries.map((entry) => entry.at(-1))).toEqual(served);
  }
});
