import { expect, test } from "vitest";
import { errorsWrittenIn, sourceFiles } from "@/tests/support/imports";

test("every error code is written in one place, with one status", () => {
  const places = new Map<string, string[]>();
  for (const file of sourceFiles("app", "lib", "server", "proxy.ts", "server.ts"))
    for (const code of errorsWrittenIn(file)) places.set(code, [...(places.get(code) ?? []), file]);
  const twice = [...places].filter(([, files]) => files.length > 1);
  const advice = "Make one function that makes this error, in lib/errors.ts or the area that owns it, and throw that.";
  expect(twice.map(([code, files]) => `${code} is written in ${files.join(", ")}. ${advice}`)).toEqual([]);
  expect(places.size).toBeGreaterThan(40);
});
