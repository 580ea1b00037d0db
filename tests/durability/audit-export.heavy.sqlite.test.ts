import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { signInByPassword } from "@/tests/support/sign-in";
import { startWithOneUser } from "./one-user";

/** More than the buffers between both ends hold: about 30 MB. */
const EVENTS = 200_000;
const PATH = "/admin/audit/export?format=csv";
const END = `complete,${EVENTS}`;

const own = startWithOneUser();
let cookie: string;
beforeAll(async () => {
  const database = new Database(`${own.service.storage.DATA_DIR}/latchkey.db`);
  database.exec(`UPDATE "User" SET "role" = 'admin';
    DELETE FROM "AuditEvent";
    INSERT INTO "AuditEvent" ("at", "action", "subjectId", "actorId", "detail")
    WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${EVENTS})
    SELECT 1700000000000 + n, 'key.update', printf('%032x', n), NULL,
      '{"field":"data","note":"' || printf('%064d', n) || '"}'
    FROM s`);
  database.close();
  cookie = await signInByPassword(own.service.url, own.user.username, "correct horse battery");
});

test("an export that was cut off is seen to be incomplete, and a whole one ends with its number of events", {
  timeout: 60_000,
}, async () => {
  const headers = { Accept: "text/html", Cookie: cookie };
  const whole = await (await fetch(`${own.service.url}${PATH}&which=${"0".repeat(31)}1`, { headers })).text();
  expect(whole.trimEnd().split("\r\n").at(-1)).toMatch(/^complete,1,/);

  const { body } = await fetch(`${own.service.url}${PATH}`, { headers });
  const reader = body?.getReader();
  let text = "";
  const read = async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      if (text === "") await own.service.kill();
      text += Buffer.from(value ?? []).toString();
    }
  };
  await expect(read()).rejects.toThrow("terminated");
  expect(text.length).toBeGreaterThan(0);
  expect(text).not.toContain(END);
});
