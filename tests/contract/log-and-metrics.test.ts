import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { mintToken } from "@/lib/platform/crypto/tokens";
import { newId } from "@/lib/platform/ids";
import { PROBED } from "@/lib/platform/network/host";
import manifest from "@/package.json";
import { type Answer, ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError, expectSuccess } from "./answers";
import { as, newKey } from "./keys";
import { approve, newCode, poll } from "./link";
import { ROUTES } from "./routes";

const { logFile } = inject("service");

/** The log lines of the requests that these answers answered, once they are there. */
async function logOf(answers: Answer[]): Promise<Record<string, unknown>[]> {
  const ids = answers.map(({ headers }) => String(headers["x-request-id"]));
  for (;;) {
    const log = readFileSync(logFile, "utf8");
    const found = ids.map((id) => lineAround(log, log.lastIndexOf(id)));
    if (found.every((line) => line?.startsWith("{"))) return found.map((line) => JSON.parse(String(line)));
    await sleep(50);
  }
}

/** The complete line that has this place in it. */
function lineAround(text: string, place: number): string | undefined {
  const end = text.indexOf("\n", place);
  return place < 0 || end < 0 ? undefined : text.slice(text.lastIndexOf("\n", place) + 1, end);
}

test("every answer has an id of ours, never the client's, and its log line has the same", async () => {
  const answers: [string, Answer][] = [];
  for (const { pattern, path, query } of ROUTES)
    for (const asking of [
      { query },
      { query, headers: { "X-Request-Id": "chosen-by-the-client" } },
      { method: "DELETE" },
    ])
      answers.push([pattern, await ask(path, asking)]);
  for (const [, answer] of answers) expectCommonHeaders(answer);
  expect(new Set(answers.map(([, { headers }]) => headers["x-request-id"])).size).toBe(answers.length);
  // What a monitor asks every few seconds is logged if it fails.
  const logged = answers.filter(([route, { status }]) => status !== 200 || !PROBED.includes(route));
  expect(logged.length).toBeLessThan(answers.length);
  const lines = await logOf(logged.map(([, answer]) => answer));
  for (const [index, [route, { status }]] of logged.entries()) expect(lines[index]).toMatchObject({ route, status });
  const log = readFileSync(logFile, "utf8");
  const silent = answers.filter((answer) => !logged.includes(answer));
  for (const [, { headers }] of silent) expect(log).not.toContain(headers["x-request-id"]);
});

test("log lines name the user where one is known, whether the request succeeds or not", async () => {
  const user = await makeUser();
  const id = await newKey(user);
  const answers = [
    await as(user, "/me"),
    await as(user, `/keys/get/${id}`),
    await as(user, "/keys/mine", { limit: "none" }),
    await ask("/keys/check/nobody-at-all", { query: { key: id } }),
  ];
  expect((await logOf(answers)).map(({ userId }) => userId)).toEqual([user.id, user.id, user.id, undefined]);
});

test("tokens, codes and key data reach no log line, whether a request succeeds or fails", async () => {
  const user = await makeUser();
  const [data, more, garbage, unknown] = [
    `data-${newId()}`,
    `more-${newId()}`,
    `bad-${newId()}`,
    mintToken("nobody").token,
  ];
  const id = await newKey(user, { data, name: data });
  const code = await newCode();
  await poll(code);
  await approve(code, user);
  const answers = [
    await poll(code),
    await as(user, `/keys/get/${id}`),
    await as(user, `/keys/update/${id}`, { key: "data", data: more }),
    await as(user, `/keys/update/${id}`, { key: "price", data: garbage }),
    await as(user, "/keys/create", { data: garbage, price: garbage, name: garbage.repeat(10) }),
    await as(user, `/keys/get/${garbage}`),
    await as(user, "/keys/mine", { limit: garbage }),
    await ask("/me", { headers: { Authorization: `Bearer ${garbage}` } }),
    await ask("/me", { query: { auth: unknown } }),
    await ask(`/keys/nothing/${garbage}`, { query: { auth: user.token, data: garbage } }),
  ];
  // Nor does an error repeat what was sent.
  for (const { status, text } of answers) if (status !== 200) expect(text).not.toContain(garbage);
  await logOf(answers);
  const log = readFileSync(logFile, "utf8");
  for (const secret of [user.token, unknown, data, more, garbage]) expect(log).not.toContain(secret);
  expect(log.split("\n").filter((line) => new RegExp(`\\b${code}\\b`, "i").test(line))).toEqual([]);
});

const { metricsToken, cronSecret } = inject("service");
const askAs = (path: string, Authorization?: string) =>
  ask(path, { headers: Authorization === undefined ? {} : { Authorization } });

test("/health returns ok while the database responds", async () => {
  expect(expectSuccess(await ask("/health")).text).toBe('{"status":"ok"}');
});

test("only clients with the token can read the metrics", async () => {
  expectError(await askAs("/metrics"), 401, "missing_token");
  for (const sent of ["Bearer wrong", `Bearer ${metricsToken}x`])
    expectError(await askAs("/metrics", sent), 401, "invalid_token");
  expectError(await ask("/metrics", { query: { auth: metricsToken } }), 401, "missing_token");
});

test("requests are counted by pattern and status; states, stored bytes and the event loop are there", async () => {
  const user = await makeUser();
  const key = await newKey(user, { data: `secret-${newId()}` });
  await ask(`/keys/get/${key}`, { query: { auth: user.token } });
  const answer = await askAs("/metrics", `Bearer ${metricsToken}`);
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  expectCommonHeaders(answer);
  const value = (line: RegExp) => Number(new RegExp(`^${line.source} ([\\d.e+-]+)$`, "m").exec(answer.text)?.[1]);
  expect(value(/latchkey_request_seconds_count\{route="\/keys\/get\/\{id\}",status="200"\}/)).toBeGreaterThan(0);
  expect(value(/latchkey_database_seconds_count/)).toBeGreaterThan(0);
  expect(value(/latchkey_stored_bytes\{in="keys"\}/)).toBeGreaterThanOrEqual(32);
  expect(value(/latchkey_stored_bytes\{in="files"\}/)).toBeGreaterThanOrEqual(0);
  expect(value(/latchkey_link_requests\{state="pending"\}/)).toBeGreaterThanOrEqual(0);
  expect(value(/latchkey_users/)).toBeGreaterThan(0);
  expect(answer.text).toContain(
    `\nlatchkey_build_info{version="${manifest.version}",node="${process.versions.node}"} 1\n`,
  );
  expect(answer.text).toMatch(/^nodejs_eventloop_lag_p99_seconds(?:\{\})? \S+$/m);
  for (const secret of [user.token, key, user.username, user.id]) expect(answer.text).not.toContain(secret);
});

test("a timer that knows the secret sweeps; nobody else does", async () => {
  for (const sent of [undefined, "Bearer wrong", cronSecret])
    expectError(await askAs("/api/sweep", sent), 401, "invalid_token");
  const { status, body } = await askAs("/api/sweep", `Bearer ${cronSecret}`);
  expect([status, body?.codes]).toEqual([200, expect.any(Number)]);
});
