// Queries the given users, repeatedly and concurrently, with statements that this process first reaches in their order.
// Prints how often the right row and how often another one was returned, what was refused, and how many statements are
// prepared.
import { auditEvents } from "@/lib/platform/audit";
import { closeDatabase, sql } from "@/lib/platform/db/client";
import { isMissingReference } from "@/lib/platform/db/errors";
import { insert, integer, rowShape, sqlChange } from "@/lib/platform/db/statement";
import { newId } from "@/lib/platform/ids";
import { limiter } from "@/lib/platform/limits/limits";

const [first = "", ...others] = process.argv.slice(2);
const names = [first, ...others];
const NOTHING = { action: "user.role", subjectId: newId(), actorId: null } as const;
const ofNobody = () => ({ id: newId(), userId: newId(), createdAt: new Date(), expiresAt: new Date(), userAgent: "" });
const limit = limiter("asking", 1_000_000, 60);

const named = rowShape({ u: "User" }, { username: "u.username" });
const withRole = rowShape({ u: "User" }, { username: "u.username", role: "u.role" });
const withId = rowShape({ u: "User" }, { username: "u.username", id: "u.id" });
const quick = rowShape({ u: "User" }, { username: "u.username", createdAt: "u.createdAt" });
const prepared = rowShape({}, { count: integer("count(*)") });

const byName = (name: string) => sql.read(named.from`"User" u WHERE u."username" = ${name}`);
const byKey = (name: string) => sql.read(withRole.from`"User" u WHERE u."usernameKey" = ${name.toLowerCase()}`);
const inTransaction = (name: string) => sql.write((tx) => tx.read(withId.from`"User" u WHERE u."username" = ${name}`));
const quickly = (name: string) => sql.readQuickly(quick.from`"User" u WHERE u."username" = ${name}`);
const afterChange = async (name: string) => {
  const change = named.returning`UPDATE "User" SET "role" = "role" WHERE "username" = ${name}`;
  const event = auditEvents({ ...NOTHING, at: new Date() });
  const seen = withId.from`"User" u WHERE u."username" = ${name}`;
  return (await sql.batchThenRead([change, event], seen)).rows;
};
const afterRefusal = async (name: string) => {
  const change = sqlChange`UPDATE "User" SET "role" = 'wrong' WHERE "username" = ${name}`;
  await sql.batch([change, insert("Session", ofNobody())]).catch((error) => {
    if (!isMissingReference(error)) throw error;
  });
  const rows = await byKey(name);
  return rows.filter(({ role }) => role !== "wrong");
};
const ways = [byName, byKey, inTransaction, quickly, afterChange, afterRefusal];

const result = { right: 0, wrong: 0, refused: [] as string[], named: 0 };
// The order of the statements differs between processes.
const shift = process.pid % ways.length;
for (let round = 0; round < 400; round += 20)
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const name = names[(round + index) % names.length] ?? "";
      try {
        const [row] = (await ways[(round + index + shift) % ways.length]?.(name)) ?? [];
        await limit.consume(name);
        if (row?.username === name) result.right++;
        else result.wrong++;
      } catch (error) {
        if (result.refused.length < 5) result.refused.push(String((error as Error).message));
      }
    }),
  );
const [counted] = await sql.read(prepared.from`pg_prepared_statements WHERE "name" LIKE 'latchkey %'`);
result.named = counted?.count ?? 0;
console.log(JSON.stringify(result));
await closeDatabase();
