import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { openApiDocument } from "@/lib/http/openapi";
import { API_TYPES, apiTypes } from "@/scripts/clients/api-types";
import { clientModule, clientTypes } from "@/scripts/clients/bundle.mjs";

const MOST_BYTES = 6_000;

test("the types of the client are those of the API (npm run clients makes it so)", () => {
  const current = apiTypes(openApiDocument(routes, "http://localhost:3000", ""));
  expect(readFileSync(API_TYPES, "utf8")).toBe(current);
});

test("the client depends on nothing, and is less than 6 KB on its way", async () => {
  const code = await clientModule();
  expect(code).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b/);
  expect(gzipSync(code).length).toBeLessThan(MOST_BYTES);
});

test("its types are whole: a program that uses all of it compiles against them alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-types-"));
  writeFileSync(join(folder, "client.d.mts"), clientTypes());
  writeFileSync(
    join(folder, "program.mts"),
    [
      'import { type Entry, type ErrorCode, type Key, Latchkey, LatchkeyError } from "./client.mjs";',
      'const latchkey = new Latchkey("http://localhost:3000", { token: "lk_x" });',
      'const token: string = await latchkey.link({ access: "read", onCode: ({ code, url }) => code + url });',
      "const keys: Key[] = await latchkey.keys.mine();",
      "const me = await latchkey.me();",
      'const access: "identity" | "read" | "everything" | undefined = "token" in me ? me.token.access : undefined;',
      "for await (const entry of (await latchkey.files.read()) ?? []) { const one: Entry = entry; one.bytes(); }",
      "try { await latchkey.keys.delete(token + access + keys[0]?.key); } catch (error) {",
      '  if (error instanceof LatchkeyError && error.code === "key_not_found") throw error;',
      '  const code: ErrorCode = "no_files";',
      "  // @ts-expect-error: not a code of the service.",
      '  const wrong: ErrorCode = "no_such_code";',
      "  throw new Error(code + wrong);",
      "}",
      "// @ts-expect-error: not an access.",
      'await latchkey.link({ access: "all", onCode() {} });',
    ].join("\n"),
  );
  const options = [
    "--ignoreConfig",
    "--strict",
    "--noEmit",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--lib",
    "es2023,dom,dom.iterable",
  ];
  try {
    const compiler = ["node_modules/typescript-7/bin/tsc", ...options, "--types", "", join(folder, "program.mts")];
    execFileSync(process.execPath, compiler, { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    expect((error as { stdout: string }).stdout).toBe("");
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
});
