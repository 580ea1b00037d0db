import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { notFound } from "@/lib/http/not-found";
import { isPage } from "@/lib/http/pages";
import { direct } from "@/server/lanes";

const API = "app/(api)";
const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

const files = readdirSync(API, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith("route.ts"));
const patternOf = (file: string) => `/${dirname(file).replace(/\[(\w+)\]/g, "{$1}")}`;
const patterns = files.map(patternOf).filter((pattern) => !pattern.includes("[...unknown]"));

test("every route file is a direct route, and every direct route is a file", () => {
  expect(Object.keys(direct).sort()).toEqual(patterns.sort());
});

test.each(Object.entries(direct))("%s is declared under its own address and answers every method", (pattern, route) => {
  expect(route.GET.declaration.path).toBe(pattern);
  for (const method of METHODS) expect(route[method], method).toBeTypeOf("function");
});

test("everything else under the API's prefixes is a JSON 404 under Next too", async () => {
  const prefixes = [...new Set(patterns.map((pattern) => pattern.split("/")[1]))];
  const catching = files.filter((file) => file.includes("[...unknown]")).map((file) => file.split("/")[0]);
  expect(catching.sort()).toEqual(prefixes.sort());
  for (const prefix of prefixes) {
    const module = await import(`../../app/(api)/${prefix}/[...unknown]/route.ts`);
    for (const method of METHODS) expect(module[method], `${prefix} ${method}`).toBe(notFound[method]);
  }
});

test("every page of ours is known to be one, and nothing else is", () => {
  const folders = readdirSync("app/(pages)", { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const pages = readdirSync("app/(pages)", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith("page.tsx") && !path.endsWith("-page.tsx"));
  const served = pages.map((file) => (dirname(file) === "." ? "/" : `/${dirname(file)}`));
  expect(served.filter((path) => !isPage(path))).toEqual([]);
  const others = folders.map(({ parentPath, name }) => `${parentPath}/${name}`.replace("app/(pages)", "")).filter((path) => !served.includes(path));
  expect(others.filter(isPage)).toEqual([]);
});
