import { expect, test } from "vitest";
import { nextPath, withNext } from "@/app/(pages)/next-path";

test.each([
  "/keys",
  "/keys?list=given&search=a%20b",
  `/keys?key=${"0".repeat(32)}`,
  "/files?folder=docs",
  "/link",
  "/account",
])("%s is gone on to, through an address and back", (path) => {
  const next = new URL(withNext("/signin", path), "http://keys.example").searchParams.get("next") ?? undefined;
  expect(nextPath(next, "/")).toBe(path);
});

test.each([
  undefined,
  "",
  "keys",
  "//evil.example",
  "/\\evil.example",
  "/keys\\@evil.example",
  "/keys#a",
  "/keys/create?data=1",
  "https://evil.example/keys",
  "/nothing",
  ["/keys", "/link"],
  "/keys?a\nb",
])("%j is not", (asked) => expect(nextPath(asked, "/account")).toBe("/account"));

test("a query that is too long is left behind", () => {
  expect(nextPath(`/keys?search=${"a".repeat(1_000)}`, "/")).toBe("/keys");
});
