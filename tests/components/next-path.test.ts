import { expect, test } from "vitest";
import { destinationIn, nextPath, withNext } from "@/app/(pages)/next-path";

test.each([
  ..."/keys /keys?list=given&search=a%20b /files?folder=docs /link /account /account/activity?before=7".split(" "),
  ...["/admin/audit?who=ada", `/keys?key=${"0".repeat(32)}`],
])("%s is gone on to, through an address and back", (path) => {
  const next = new URL(withNext("/signin", path), "http://keys.example").searchParams.get("next") ?? undefined;
  expect(nextPath(next, "/")).toBe(path);
});

test.each([
  undefined,
  "",
  ..."keys //evil.example /\\evil.example /keys\\@evil.example // //?evil.example /%2Fevil.example".split(" "),
  ..."/signin?next=/keys javascript:alert(1) /keys/create?data=1 https://evil.example/keys /nothing".split(" "),
  ["/keys", "/link"],
  "/keys?a\nb",
])("%j is not", (asked) => expect(nextPath(asked, "/account")).toBe("/account"));

test.each(["/keys#secret", "/keys?list=given#secret"])(
  "the fragment of %s is left behind: it may be a secret",
  (path) => {
    expect(nextPath(path, "/")).toBe(path.replace("#secret", ""));
  },
);

test.each([
  ["http://keys.example/signup?next=/keys%3Flist%3Dgiven", "/keys?list=given"],
  ["http://keys.example/signin?next=//evil.example", "/"],
  ["http://keys.example/signup", "/"],
  ["http://keys.example/files?folder=docs", "/files?folder=docs"],
  ["http://keys.example", "/"],
  ["//evil.example", "/"],
  [undefined, "/"],
])("the address that NextAuth keeps, %s, leads to %s", (kept, path) => expect(destinationIn(kept)).toBe(path));

test("home needs no name, and why nobody was signed in is told", () => {
  expect([withNext("/signin", "/"), withNext("/signin", "/", "a b"), withNext("/signin", "/keys?a=b", "c")]).toEqual([
    "/signin",
    "/signin?error=a%20b",
    "/signin?next=/keys%3Fa%3Db&error=c",
  ]);
});

test("a query that is too long is left behind", () => {
  expect(nextPath(`/keys?search=${"a".repeat(1_000)}`, "/")).toBe("/keys");
});
