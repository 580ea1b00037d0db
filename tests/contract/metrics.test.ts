import { expect, inject, test } from "vitest";
import { newId } from "@/lib/ids";
import { ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError } from "./answers";
import { newKey } from "./keys";

const { metricsToken } = inject("service");
const measured = () => ask("/metrics", { headers: { Authorization: `Bearer ${metricsToken}` } });

test("only clients with the token can read them", async () => {
  expectError(await ask("/metrics"), 401, "missing_token");
  for (const Authorization of ["Bearer wrong", `Bearer ${metricsToken}x`])
    expectError(await ask("/metrics", { headers: { Authorization } }), 401, "invalid_token");
  expectError(await ask("/metrics", { query: { auth: metricsToken } }), 401, "missing_token");
});

test("requests are counted by pattern and status; states, stored bytes and the event loop are there", async () => {
  const user = await makeUser();
  const key = await newKey(user, { data: `secret-${newId()}` });
  await ask(`/keys/get/${key}`, { query: { auth: user.token } });
  const answer = await measured();
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  expectCommonHeaders(answer);
  const value = (line: RegExp) => Number(new RegExp(`^${line.source} ([\\d.e+-]+)$`, "m").exec(answer.text)?.[1]);
  expect(value(/latchkey_request_seconds_count\{route="\/keys\/get\/\{id\}",status="200"\}/)).toBeGreaterThan(0);
  expect(value(/latchkey_database_seconds_count/)).toBeGreaterThan(0);
  expect(value(/latchkey_stored_bytes\{in="keys"\}/)).toBeGreaterThanOrEqual(32);
  expect(value(/latchkey_stored_bytes\{in="files"\}/)).toBeGreaterThanOrEqual(0);
  expect(value(/latchkey_link_requests\{state="pending"\}/)).toBeGreaterThanOrEqual(0);
  expect(value(/latchkey_users/)).toBeGreaterThan(0);
  expect(answer.text).toMatch(/^nodejs_eventloop_lag_p99_seconds(?:\{\})? \S+$/m);
  for (const secret of [user.token, key, user.username, user.id]) expect(answer.text).not.toContain(secret);
});
