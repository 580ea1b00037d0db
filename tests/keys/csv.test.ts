import { expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { keysCsv } from "@/lib/keys/listing/csv";
import { statementsOf } from "../support/statements";
import { makeUser, type TestUser } from "../support/user";
import { makeKeys } from "./make-keys";

const HEAD = "\ufeffid,name,price,creator,holders,since\r\n";
const asViewer = (user: TestUser) => ({ ...user, role: "user" });

async function csvOf(user: TestUser, kind: "made" | "given" = "made", search = ""): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of keysCsv(asViewer(user), { kind, search })) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test("the file has the list's keys, oldest first, and never their data", async () => {
  const [user, other] = await Promise.all([makeUser(), makeUser()]);
  expect(await csvOf(user)).toBe(HEAD);
  const own = await createKey(asViewer(user), { data: "secret one", price: "1.5", name: "Own" });
  const second = await createKey(asViewer(user), { data: "secret two", price: "-1", name: "" });
  await addHolder(asViewer(user), await findKey(asViewer(user), own.id), other.username);
  const line = (fields: string[]) => `${fields.join(",")}\r\n`;
  const ofOwn = line([own.id, "Own", "1.5", user.username, "2", own.createdAt]);
  const ofSecond = line([second.id, "", "-1", user.username, "1", second.createdAt]);
  const whole = await csvOf(user);
  expect([HEAD + ofOwn + ofSecond, HEAD + ofSecond + ofOwn]).toContain(whole);
  expect(whole).not.toContain("secret");
  expect(await csvOf(user, "made", "OWN")).toBe(HEAD + ofOwn);
  expect(await csvOf(other)).toBe(HEAD);
  const [, given] = (await csvOf(other, "given")).split("\r\n");
  expect(given).toMatch(new RegExp(`^${own.id},Own,1.5,${user.username},,\\d{4}-`));
});

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-cmd|' /C calc'!A0", "\"'-cmd|' /C calc'!A0\""],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", '"\t\'=1"'],
  ['=HYPERLINK("http://evil.example","a")', `"'=HYPERLINK(""http://evil.example"",""a"")"`],
  ['a "b", c', '"a ""b"", c"'],
  ["two\nlines", '"two\nlines"'],
  ["Ключ 🔑", "Ключ 🔑"],
])("the name %j is the field %s", async (name, field) => {
  const user = await makeUser();
  const { id } = await createKey(asViewer(user), { data: "x", price: "1", name });
  expect(await csvOf(user)).toContain(`${id},${field},1,`);
});

test("many keys come in pages, one after another, and a reader that leaves ends it", async () => {
  const user = await makeUser();
  const ids = await makeKeys(user, user, 1_200);
  const statements = await statementsOf(async () => {
    const lines = (await csvOf(user)).trim().split("\r\n").slice(1);
    expect(new Set(lines.map((line) => line.slice(0, 32)))).toEqual(new Set(ids));
    expect(lines).toHaveLength(1_200);
  });
  // Three pages, each with its holders.
  expect(statements).toHaveLength(6);
  const left = await statementsOf(async () => {
    for await (const chunk of keysCsv(asViewer(user), { kind: "made", search: "" })) if (chunk.length > 1_000) break;
  });
  expect(left).toHaveLength(2);
});
