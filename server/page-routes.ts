import { readFileSync } from "node:fs";

/** The patterns of the pages in a build of Next. */
export function pagePatterns(buildFolder: string): string[] {
  return Object.values(JSON.parse(readFileSync(`${buildFolder}/app-path-routes-manifest.json`, "utf8")));
}

/** The name for paths that match none of them. */
export const UNKNOWN_PAGE = "(unknown page)";

/** Finds the pattern of a path, for log lines and metrics: a path itself may contain anything. */
export function routeNamer(patterns: string[]): (path: string) => string {
  const fixed = new Set(patterns.filter((pattern) => !pattern.includes("[")));
  const open = patterns
    .filter((pattern) => pattern.includes("["))
    .map((pattern) => ({
      pattern,
      shape: new RegExp(
        `^${pattern
          .replace(/[.*+?^$()|\\]/g, "\\$&")
          .replace(/\[\\\.\\\.\\\.\w+\]/g, ".+")
          .replace(/\[\w+\]/g, "[^/]+")}$`,
      ),
    }));
  return (path) => {
    if (path.startsWith("/_next/static/")) return "(asset)";
    const plain = path.length > 1 ? path.replace(/\/+$/, "") || "/" : path;
    return fixed.has(plain) ? plain : (open.find(({ shape }) => shape.test(plain))?.pattern ?? UNKNOWN_PAGE);
  };
}
