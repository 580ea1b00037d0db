import { expect, test } from "vitest";
import type { Caller } from "@/lib/accounts/identity/user";
import { findKey } from "@/lib/keys/access";
import { keysCsv } from "@/lib/keys/export";
import { readNames } from "@/lib/keys/many";
import { csvLine, FORMULAS, jsonField } from "@/lib/platform/csv";
import { textOf } from "@/tests/support/documents";
import { statementsOf } from "@/tests/support/statements";
import { add, makeKeys, newKey, people, person } from "./keys";

const HEAD = "\ufeffid,name,price,creator,holders,since\r\n";

const csvOf = (user: Caller, kind: "made" | "given" = "made", search = "") => textOf(keysCsv(user, { kind, search }));

test("the file has the list's keys, oldest first, and never their data", async () => {
  const [user, other] = await people(2);
  expect(await csvOf(user)).toBe(HEAD);
  const own = await newKey(user, { price: "1.5", name: '=HYPERLINK("http://evil.example")' });
  const second = await newKey(user, { price: "-1", name: "" });
  await add(user, own, other);
  const line = async (id: string, ...fields: (string | number)[]) => {
    const { createdAt } = await findKey(user, id);
    return `${[id, ...fields, createdAt.toISOString()].join(",")}\r\n`;
  };
  const ofOwn = await line(own, `"'=HYPERLINK(""http://evil.example"")"`, 1.5, user.username, 2);
  const ofSecond = await line(second, "", -1, user.username, 1);
  const csv = await csvOf(user);
  expect([HEAD + ofOwn + ofSecond, HEAD + ofSecond + ofOwn]).toContain(csv);
  expect(csv).not.toContain("secret");
  expect(await csvOf(user, "made", "=hyper")).toBe(HEAD + ofOwn);
  expect(await csvOf(other)).toBe(HEAD);
  const [, received] = (await csvOf(other, "given")).split("\r\n");
  expect(received).toMatch(new RegExp(`^${own},.+,1.5,${user.username},,\\d{4}-`));
});

test("many keys come in pages, one after another, and a reader that leaves ends it", async () => {
  const user = await person();
  const ids = await makeKeys(user, user, { count: 600 });
  const statements = await statementsOf(async () => {
    const lines = (await csvOf(user)).trim().split("\r\n").slice(1);
    expect(new Set(lines.map((line) => line.slice(0, 32)))).toEqual(new Set(ids));
    expect(lines).toHaveLength(600);
  });
  // Two pages, each with its holders.
  expect(statements).toHaveLength(4);
  const left = await statementsOf(async () => {
    for await (const chunk of keysCsv(user, { kind: "made", search: "" })) if (chunk.length > 1_000) break;
  });
  expect(left).toHaveLength(2);
});

/** Values with a caret where the field that a reader gets has an apostrophe; § parts them. */
const TEXTS = [
  "^=1+1§^+1§^-cmd|' /C calc'!A0§^@SUM(A1)§^|calc§^-5-5",
  // In other widths and forms.
  "^＝1§^＋1§^－1§^＠SUM(A1)§^﹦1§^−1",
  // After blanks and what nobody sees.
  ' ^=1§\t^=1§\r^=1§\u00a0^=1§\u3000^＝1§\u200b^=1§\ufeff^=1§\u2060\u202e\u0000^=1§\u3164^=1§"^=1',
  // For readers that split elsewhere.
  'a;^=1+1§a; \u00a0^@x§a\t^-1+1§a|^=1§a,^=1§a\n^=1§a\r\n\r\n^＝1§a\u2028^=1§a ^=1+1§a"^=1§a;^=1;^=2',
  "'^=1§a;''^=1",
  "-5§-0.25§15§a - b§a=b§O'Brien§me@example.org§2026-11-25T10:00:00.000Z§Ключ 🔑§",
].flatMap((texts) => texts.split("§"));

/** The value of a field that `csvLine` wrote, once its reader has taken the quotes away. */
const withoutApostrophes = (field: string) =>
  field.replace(
    FORMULAS,
    (_, before = "", one = "", blank = "", other = "") => before + blank + (one + other).slice(1),
  );

/** One field, as RFC 4180 reads it. */
const read = (line: string) =>
  line.replace(/\r\n$/, "").replace(/^"([\s\S]*)"$/, (_, text) => text.replaceAll('""', '"'));

test.each(TEXTS)("%j is a field that no reader runs, and read back the value", (text) => {
  const [value, field] = [text.replaceAll("^", ""), text.replaceAll("^", "'")];
  expect(read(csvLine([value]))).toBe(field);
  expect(withoutApostrophes(field)).toBe(value);
});

test("a field that any reader could split is in quotes", () => {
  expect(csvLine(["a;b", "a\tb", "a|b", "a b", "-5"])).toBe('"a;b","a\tb","a|b",a b,-5\r\n');
});

test("JSON in a field stays the JSON of its value, without an apostrophe", () => {
  const value = { "=a": "=1", agent: "Robot (+https://example.org; -x)", n: -5, list: ["\n＝1", "\\=1", "2026-11-25"] };
  const json = jsonField(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(read(csvLine([json]))).toBe(json);
  expect(json).toContain('"2026-11-25"');
});

test("names of a file that we wrote are read as they were", () => {
  const names = ["-bob", "--x", "alice", "_o-o", "-55"];
  expect(readNames(names.map((name) => csvLine([name, "more"])).join(""))).toEqual(names);
});
