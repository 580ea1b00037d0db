import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { isPage } from "@/lib/http/pages";
import { config } from "@/proxy";
import {
  apiPrefixes,
  catchAlls,
  PROXY,
  patternOf,
  ROUTES,
  routeFiles,
  routesModule,
  withMatcher,
} from "@/scripts/route-files";
import { direct } from "@/server/lanes";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;
const FORGOTTEN = "A route was added, moved or taken away: run `npm run routes`.";

test("every route file is a direct route, and every direct route is a file", () => {
  expect(readFileSync(ROUTES, "utf8"), FORGOTTEN).toBe(routesModule());
  expect(Object.keys(direct).sort()).toEqual(routeFiles().map(patternOf).sort());
});

test("what nobody serves under the API's first parts is answered by the API", () => {
  for (const [file, text] of catchAlls()) {
    expect(existsSync(file), FORGOTTEN).toBe(true);
    expect(readFileSync(file, "utf8"), FORGOTTEN).toBe(text);
  }
});

test("proxy.ts is not in the way of any route", () => {
  const proxy = readFileSync(PROXY, "utf8");
  expect(proxy, FORGOTTEN).toBe(withMatcher(proxy));
  const [matcher = ""] = config.matcher;
  const isMatched = (path: string) => new RegExp(`^${matcher}$`).test(path);
  expect(Object.keys(direct).filter(isMatched)).toEqual([]);
  expect(apiPrefixes().filter((prefix) => isMatched(`/${prefix}/nothing`))).toEqual([]);
  expect(
    ["/", "/keys", "/link", "/link/", "/files", "/account", "/nothing"].filter((path) => !isMatched(path)),
  ).toEqual([]);
});

test.each(Object.entries(direct))("%s is declared under its own address and answers every method", (pattern, route) => {
  expect(route.GET.declaration.path).toBe(pattern);
  for (const method of METHODS) expect(route[method], method).toBeTypeOf("function");
});

test("every page of ours is known to be one, and nothing else is", () => {
  const folders = readdirSync("app/(pages)", { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const pages = readdirSync("app/(pages)", { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith("page.tsx") && !path.endsWith("-page.tsx"),
  );
  const served = pages.map((file) => (dirname(file) === "." ? "/" : `/${dirname(file)}`));
  expect(served.filter((path) => !isPage(path))).toEqual([]);
  const others = folders
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replace("app/(pages)", ""))
    .filter((path) => !served.includes(path));
  expect(others.filter(isPage)).toEqual([]);
});
