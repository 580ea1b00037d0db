import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALIASES } from "@/lib/api/declaration";
import { ignoresQuery, isPage } from "@/lib/platform/http/pages";
import { config } from "@/proxy";
import {
  apiPrefixes,
  CONFIG,
  PROXY,
  patternOf,
  ROUTES,
  routeFiles,
  routesModule,
  withMatcher,
  withPrefixes,
} from "@/scripts/route-files";
import { direct } from "@/server/lanes";
import { routeNamer } from "@/server/pages";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;
const FORGOTTEN = "A route was added, moved or taken away: run `npm run codegen`.";

test("every route file is a direct route, and every direct route is a file", () => {
  expect(readFileSync(ROUTES, "utf8"), FORGOTTEN).toBe(routesModule());
  expect(Object.keys(direct).sort()).toEqual(routeFiles().map(patternOf).sort());
});

test("proxy.ts is not in the way of any route", () => {
  const proxy = readFileSync(PROXY, "utf8");
  expect(proxy, FORGOTTEN).toBe(withMatcher(proxy));
  const settings = readFileSync(CONFIG, "utf8");
  expect(settings, FORGOTTEN).toBe(withPrefixes(settings));
  const [matcher = ""] = config.matcher;
  const isMatched = (path: string) => new RegExp(`^${matcher}$`).test(path);
  expect([...Object.keys(direct), ...Object.keys(ALIASES)].filter(isMatched)).toEqual([]);
  expect(apiPrefixes().filter((prefix) => isMatched(`/${prefix}/nothing`))).toEqual([]);
  const pages = ["/", "/keys", "/link", "/link/", "/files", "/account", "/nothing"];
  expect(pages.filter((path) => !isMatched(path))).toEqual([]);
});

test.each(Object.entries(direct))("%s is declared under its own address and answers every method", (pattern, route) => {
  expect(route.GET.declaration.path).toBe(pattern);
  for (const method of METHODS) expect(route[method], method).toBeTypeOf("function");
});

test("it is known of every page whether it reads parameters of its address", () => {
  const pages = readdirSync("app/(pages)", { recursive: true, withFileTypes: true }).filter(
    ({ name }) => name === "page.tsx",
  );
  for (const { parentPath, name } of pages) {
    const path = parentPath.replace("app/(pages)", "") || "/";
    const isReading = readFileSync(join(parentPath, name), "utf8").includes("searchParams");
    expect([path, ignoresQuery(path)]).toEqual([path, !isReading]);
    expect([path, ignoresQuery(`${path}/`)]).toEqual([path, path !== "/" && !isReading]);
  }
  expect(ignoresQuery("/nothing")).toBe(false);
});

test("every page of ours is known to be one, and nothing else is", () => {
  const entries = readdirSync("app/(pages)", { recursive: true, withFileTypes: true });
  const folderOf = (parentPath: string) => parentPath.replace("app/(pages)", "") || "/";
  const served = entries.filter(({ name }) => name === "page.tsx").map(({ parentPath }) => folderOf(parentPath));
  expect(served.filter((path) => !isPage(path))).toEqual([]);
  const folders = entries.filter((entry) => entry.isDirectory());
  const others = folders.map(({ parentPath, name }) => `${parentPath}/${name}`.replace("app/(pages)", ""));
  expect(others.filter((path) => !served.includes(path) && isPage(path))).toEqual([]);
});

const nameOf = routeNamer(["/", "/keys", "/link", "/icon.svg", "/api/auth/[...nextauth]", "/files/[id]"]);

test.each([
  ["/", "/"],
  ["/keys", "/keys"],
  ["/link/", "/link"],
  ["/icon.svg", "/icon.svg"],
  ["/api/auth/callback/credentials", "/api/auth/[...nextauth]"],
  ["/files/0123", "/files/[id]"],
  ["/files/0123/4", "(unknown page)"],
  ["/_next/static/chunks/a.js", "(asset)"],
  ["/_next/nothing", "(unknown page)"],
  ["/keys-lk_secret", "(unknown page)"],
  ["//lk_secret", "(unknown page)"],
  ["/iconxsvg", "(unknown page)"],
])("%s is a request for %s", (path, pattern) => {
  expect(nameOf(path)).toBe(pattern);
});
