import { ALICE, ALICE_ID, BOB, CODE, KEY, ORIGIN, PUBLIC, SIGNED, TIME, TOKEN } from "@/lib/api/example-values";
import { importDocument } from "@/lib/files/import";
import { chunks } from "@/tests/support/documents";
import { type Answer, ask, origin } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { newKey, share } from "./keys";
import { approve, newCode } from "./link";

export interface Operation {
  summary: string;
  parameters: { name: string; in: "path" | "query" | "header"; required: boolean; example?: string }[];
  security: unknown[];
  responses: Record<
    string,
    {
      content?: Record<
        string,
        { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> } | undefined
      >;
    }
  >;
}

/** The example of a response, whatever its media type is. */
export const exampleOf = ({ responses }: Operation): unknown =>
  Object.values(responses["200"]?.content ?? {})[0]?.example;
interface Described {
  paths: Record<string, { get: Operation }>;
  components: { schemas: Record<string, object> };
}

export const described: Described = JSON.parse((await ask("/openapi.json")).text);
export const operations = Object.entries(described.paths).map(([path, { get }]) => [path, get] as const);

/** The cast of the examples, as people and things that exist. */
export interface Cast {
  alice: TestUser;
  bob: TestUser;
  words: [string, string][];
}

/** Alice with the key of the examples, and Bob. Each test has a cast of its own. */
export async function assemble(): Promise<Cast> {
  const [alice, bob] = (await makeUsers(2)) as [TestUser, TestUser];
  const key = await newKey(alice, { data: "the secret", price: "1.5", name: "Spare room" });
  const words: [string, string][] = [
    [ORIGIN, origin],
    [ALICE_ID, alice.id],
    [ALICE, alice.username],
    [BOB, bob.username],
    [KEY, key],
    [TOKEN, alice.token],
  ];
  return { alice, bob, words };
}

export const swap = (text: string, words: [string, string][]) =>
  words.reduce((swapped, [from, to]) => swapped.replaceAll(from, to), text);
const keyOf = ({ words }: Cast) => words.find(([name]) => name === KEY)?.[1] ?? "";

async function approvedCode(cast: Cast): Promise<void> {
  const code = await newCode();
  await approve(code, cast.alice);
  cast.words.push([CODE, code]);
}

/** What must have happened before an example. */
export const BEFORE: Record<string, (cast: Cast) => Promise<void>> = {
  "/keys/revoke/{id}": (cast) => share(cast.alice, keyOf(cast), cast.bob),
  "/keys/admin_remove/{id}": (cast) => share(cast.alice, keyOf(cast), cast.bob),
  "/keys/cancel/{id}": async (cast) => {
    await share(cast.alice, keyOf(cast), cast.bob);
    cast.words.unshift([TOKEN, cast.bob.token]);
  },
  "/link/user": approvedCode,
  "/link/status": approvedCode,
  "/read-files": async (cast) => {
    const example = exampleOf(described.paths["/read-files"]?.get as Operation);
    await importDocument(cast.alice, chunks(swap(JSON.stringify(example), cast.words)));
  },
};

/** The query and path of an example's request; `change` replaces what is sent. */
export function requestOf(
  path: string,
  { parameters, security }: Operation,
  token: string | undefined,
  change: Record<string, string | undefined> = {},
) {
  const sent = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  Object.assign(sent, change);
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sent[name] ?? ""));
  const query = Object.fromEntries(
    parameters.flatMap(({ name, in: place }) => (place === "query" ? [[name, sent[name]]] : [])),
  );
  return { target, query: security.length > 0 ? { ...query, auth: token } : query };
}

/** The answer in the words of the cast, at the time of the examples. */
export function inTheirWords(text: string, cast: Cast, path: string): unknown {
  const theirs = swap(
    text,
    cast.words.map(([from, to]) => [to, from]),
  );
  const timed = theirs
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, JSON.stringify(TIME))
    .replace(/"time":\d{10}/g, `"time":${Date.parse(TIME) / 1000}`);
  if (path === "/.well-known/security.txt") return theirs.replace(/(?<=Expires: )\S+/, "2027-05-19T00:00:00.000Z");
  if (path === "/keys/create") return JSON.parse(timed.replace(/[0-9a-f]{32}/g, KEY));
  if (path === "/link/code") return { code: JSON.parse(timed).code.replace(/^[A-Z]{6}$/, CODE) };
  if (path === "/generate_validator")
    return JSON.parse(
      timed.replace(/"ey[^"]+"/, `"${SIGNED}"`).replace(/\d{10}/, String(Date.parse(TIME) / 1000 + 300)),
    );
  if (path === "/.well-known/jwks.json") return JSON.parse(timed.replace(/[\w-]{43}/g, PUBLIC));
  if (path === "/openapi.json") return { openapi: JSON.parse(timed).openapi };
  return JSON.parse(timed);
}

export async function replay(
  cast: Cast,
  path: string,
  operation: Operation,
  change?: Record<string, string | undefined>,
): Promise<Answer> {
  const { target, query } = requestOf(path, operation, TOKEN, change);
  const swapped = Object.entries(query).map(([name, value]) => [
    name,
    value === undefined ? undefined : swap(value, cast.words),
  ]);
  return ask(swap(target, cast.words), { query: Object.fromEntries(swapped) });
}
