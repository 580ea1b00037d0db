import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as openApi from "@/app/(api)/openapi.json/route";
import { routes } from "@/app/(api)/routes";
import { ERROR_CODES } from "@/lib/api/error-codes";
import { openApiDocument } from "@/lib/api/openapi";
import { errorsWrittenIn } from "@/tests/support/imports";
import { OURS } from "./ours";

const CONTRACT = readFileSync("docs/contract.md", "utf8");
/** The rows that are about routes, by the routes' patterns. */
const rows = new Map(
  [...CONTRACT.matchAll(/^(?:\| (?=`\/)|(?=`GET \/))([^|\n]+).*$/gm)].flatMap(([row, names = ""]) =>
    [...names.matchAll(/`(?:GET )?(\/[^`?]+)/g)].map(([, path = ""]) => [path.replace(/<(\w+)>/g, "{$1}"), row]),
  ),
);
const declarations = Object.values({ ...routes, openApi }).map(({ GET }) => GET.declaration);

test("every route has a row in docs/contract.md, and every row its route or page", () => {
  const isPage = (path: string) => existsSync(`app/(pages)${path}`);
  expect([...rows.keys()].filter((path) => !isPage(path)).toSorted()).toEqual(
    declarations.map(({ path }) => path).toSorted(),
  );
});

test.each(declarations.map((declaration) => [declaration.path, declaration] as const))(
  "the row of %s says whether it takes a user's token",
  (path, { caller }) => {
    expect(/\?auth=|(?<!no )`auth`/.test(rows.get(path) ?? "")).toBe(caller === "token");
  },
);

test("the row on HEAD lists the routes that change something", () => {
  const [, listed = ""] = /A route that changes something \(([^)]+)\)/.exec(CONTRACT) ?? [];
  const changing = declarations.filter(({ access }) => access === "change").map(({ path }) => path);
  const short = changing.map((path) => path.replace(/^\/keys\/|^\/(?=link)|\/\{.*$/g, ""));
  expect(listed.split(", ").toSorted()).toEqual(short.toSorted());
});

test.each(["read", "identity"] as const)("the row on the access %s lists the routes that need it", (access) => {
  const [row = ""] = new RegExp(`^\\| access \`${access}\` \\|.*$`, "m").exec(CONTRACT) ?? [];
  const listed = [...row.matchAll(/`(\/[^`]+)`/g)].map(([, path = ""]) => path.replace(/<(\w+)>/g, "{$1}"));
  const needing = declarations.filter(({ needs }) => needs === access).map(({ path }) => path);
  expect(listed.toSorted()).toEqual(needing.toSorted());
});

test("docs/contract.md names every error code of the API, and none that nothing answers", () => {
  const named = [...CONTRACT.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, word = ""]) => word);
  expect([...ERROR_CODES.keys()].filter((code) => !named.includes(code))).toEqual([]);

  const written = new Set(OURS.flatMap(errorsWrittenIn));
  const behindStatus = [...CONTRACT.matchAll(/\b[45]\d\d `([a-z_]+)`((?:, `[a-z_]+`)*)/g)];
  const codes = behindStatus.flatMap(([, first = "", more = ""]) => [first, ...(more.match(/[a-z_]+/g) ?? [])]);
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code) => !written.has(code))).toEqual([]);
});

test("docs/contract.md names every field of a response", () => {
  const document = JSON.stringify(openApiDocument(routes, "http://localhost", "1"), (_, value) =>
    value?.properties ? { ...value, fields: Object.keys(value.properties) } : value,
  );
  const fields = [...document.matchAll(/"fields":\[("[^\]]+")\]/g)].flatMap(([, names = ""]) =>
    JSON.parse(`[${names}]`),
  );
  expect(fields.length).toBeGreaterThan(100);
  const isNamed = (field: string) => new RegExp(`["\`]${field}["\`]`).test(CONTRACT);
  expect([...new Set(fields)].filter((field) => !isNamed(field))).toEqual([]);
});

test("what the reference shows of parameters has no mark-up, which it would show as it is", () => {
  const { paths } = openApiDocument(routes, "http://localhost:3000", "1");
  const described = JSON.stringify(paths).match(/"description":"(?:[^"\\]|\\.)*"/g) ?? [];
  expect(described.length).toBeGreaterThan(50);
  expect(described.filter((text) => text.includes("`") && !text.includes("rel="))).toEqual([]);
});
