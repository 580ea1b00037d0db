import { createServer } from "node:http";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { BOB, KEY, TIME, TOKEN } from "@/lib/api/example-values";
import { described } from "@/tests/contract/described";
import { runScript } from "@/tests/support/admin";
import { addressOf, ownFolder } from "@/tests/support/place";
import { CALLS } from "./calls";
import { CLIENTS } from "./clients";

/** That no client drops a field of an answer: neither one that is rarely there, nor one that it does not know yet. */

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  format?: string;
}

/** A value of this schema, with every field that it may have, and another one. */
function fullest({ type, anyOf, items, properties, additionalProperties, format, ...schema }: Schema): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return fullest(anyOf[0]);
  if (type === "array") return [fullest(items ?? {})];
  if (type === "object" && typeof additionalProperties === "object") return { [BOB]: fullest(additionalProperties) };
  if (type === "object") {
    const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, fullest(field)]);
    return { ...Object.fromEntries(fields), ofALaterVersion: { is: "kept" } };
  }
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return 7;
  return format === "date-time" ? TIME : "a text";
}

const answers = Object.entries(CALLS).map(([path, call]) => {
  const { schema = {} } = described.paths[path]?.get.responses["200"]?.content?.["application/json"] ?? {};
  return { path, call, answer: fullest(schema as Schema) };
});

/** A service that has these answers, whatever it is asked. */
const server = createServer(({ url = "" }, response) => {
  const found = answers.find(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/, "[^/]+")}(?:\\?|$)`).test(url));
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(found?.answer));
});
const address = addressOf(server);
const home = ownFolder("fields");

const named = answers.map(({ path, ...rest }) => [path, rest] as const);

describe.each(Object.entries(CLIENTS))("%s", (_, Client) => {
  test.each(named)("keeps every field of %s", async (_, { call, answer }) => {
    using client = new Client(address(), TOKEN);
    expect(await client.call(...call)).toEqual({ answer });
  });
});

/** The commands that print the answers of these routes. */
const COMMANDS: Record<string, string[]> = {
  "/keys/create": ["create", "the secret"],
  "/keys/get/{id}": ["get", KEY],
  "/keys/mine": ["list"],
  "/keys/revoke/{id}": ["revoke", KEY, BOB, "--yes"],
  "/keys/delete/{id}": ["delete", KEY, "--yes"],
  "/keys/update/{id}": ["set", KEY, "name", "Spare room"],
  "/keys/admin_add/{id}": ["give", KEY, BOB],
};
const printed = named.filter(([path]) => path in COMMANDS);

const run = (...sent: string[]) => {
  const variables = { LATCHKEY_ADDRESS: address(), LATCHKEY_TOKEN: TOKEN, HOME: home, NODE_ENV: "production" as const };
  return runScript("clients/cli/src/main.ts", ["keys", ...sent], { PATH: dirname(process.execPath), ...variables });
};

test.each(printed)("the command line prints every field of %s", async (path, { answer }) => {
  const { stdout } = await run(...(COMMANDS[path] ?? []), "--json");
  expect(JSON.parse(stdout)).toEqual(answer);
});

test("the command line says to people when an access ends", async () => {
  expect((await run("get", KEY)).stdout).toMatch(/^Holders +bob until 1970-01-01T00:00:07\.000Z$/m);
});
