import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as openApi from "@/app/(api)/openapi.json/route";
import { routes } from "@/app/(api)/routes";
import { ERROR_CODES } from "@/lib/api/error-codes";
import { openApiDocument } from "@/lib/api/openapi";
import { API_TYPES, apiTypes } from "@/scripts/clients/api-types";
import { EXPLANATIONS, explanations } from "@/scripts/configuration";
import { describedIn, pythonRecords, pythonRefusals } from "@/scripts/python-records";
import { CONFIG, PROXY, ROUTES, routesModule, withMatcher, withPrefixes } from "@/scripts/route-files";
import { errorsWrittenIn } from "@/tests/support/imports";
import { EVERYTHING, OURS } from "./ours";

const CONTRACT = readFileSync("docs/contract.md", "utf8");

test("every route has a row in docs/contract.md, and every row its route or page", () => {
  const cells = [...CONTRACT.matchAll(/^(?:\| (?=`\/)|(?=`GET \/))([^|\n]+).*$/gm)].map(([, cell = ""]) => cell);
  const named = [...cells.join().matchAll(/`(?:GET )?(\/[^`?]+)/g)].map(([, path = ""]) => path);
  const rows = [...new Set(named.map((path) => path.replace(/<(\w+)>/g, "{$1}")))];
  const declared = Object.values({ ...routes, openApi }).map(({ GET }) => GET.declaration.path);
  expect(rows.filter((path) => !existsSync(`app/(pages)${path}`)).toSorted()).toEqual(declared.toSorted());
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

test("every row of the contract that code cites (contract, section N: row, row) is in docs/contract.md", () => {
  const [, ...parts] = CONTRACT.split(/^## (?=\d+\. )/m);
  const sections = new Map(parts.map((part) => [part.slice(0, part.indexOf(".")), rowsOf(part)]));
  const cited = EVERYTHING.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/contract, section (\d+)(?:: ([^).]+))?/gi)].map(
      ([, section = "", rows]) => ({ file, section, rows: rows?.split(", ") ?? [] }),
    ),
  );
  expect(cited.length).toBeGreaterThan(40);
  const missing = cited.flatMap(({ file, section, rows }) =>
    sections.has(section)
      ? rows.filter((row) => !sections.get(section)?.includes(row)).map((row) => `${file}: section ${section}: ${row}`)
      : [file],
  );
  expect(missing).toEqual([]);
});

/** The first cells of a section's tables: names of rows, and routes without their parameters. */
function rowsOf(section: string): string[] {
  const cells = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell);
  return cells
    .flatMap((cell) => cell.replaceAll("`", "").split(", "))
    .map((name) => name.replace(/[?<].*$/, "").replace(/\/$/, ""));
}

const PYTHON = "clients/python/src/latchkey";
const description = describedIn(openApiDocument(routes, "http://localhost:3000", "1"));

test.each<[file: string, written: (now: string) => string]>([
  [ROUTES, routesModule],
  [PROXY, withMatcher],
  [CONFIG, withPrefixes],
  [API_TYPES, () => apiTypes(openApiDocument(routes, "http://localhost:3000", ""))],
  [`${PYTHON}/records.py`, () => pythonRecords(description)],
  [`${PYTHON}/refusals.py`, () => pythonRefusals(description)],
  [EXPLANATIONS, explanations],
])("%s is as `npm run codegen` writes it", (file, written) => {
  const now = readFileSync(file, "utf8");
  expect(now).toBe(written(now));
});
