import { expect, inject, test } from "vitest";
import { newId } from "@/lib/platform/ids";
import manifest from "@/package.json";
import { ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError, expectSuccess } from "./answers";
import { newKey } from "./keys";

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

const SWEPT = [
  ...["codes", "filePieces", "sessions", "challenges", "requests", "tokens", "oneTimeLinks", "claimLinks", "keyNames"],
  ...["addresses", "accounts", "blocks", "mail", "sealing", "userSummaries"],
];

test("a timer that knows the secret sweeps; nobody else does", async () => {
  for (const sent of [undefined, "Bearer wrong", cronSecret])
    expectError(await askAs("/api/sweep", sent), 401, "invalid_token");
  const { status, body } = await askAs("/api/sweep", `Bearer ${cronSecret}`);
  expect([status, Object.keys(body ?? {})]).toEqual([200, SWEPT]);
});
