import { expect, test } from "vitest";
import { routeNamer } from "@/server/page-routes";

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
