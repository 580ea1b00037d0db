// Queries the given users, repeatedly and concurrently, with statements that this process first reaches in their order.
// Prints how often the right row and how often another one was returned, what was refused, and how many statements are
// prepared.
import { closeDatabase, sql } from "@/lib/db/client";
import { integer, rowShape } from "@/lib/db/statement";
import { limiter } from "@/lib/limits";

const [first = "", ...others] = process.argv.slice(2);
const names = [first, ...others];
const limit = limiter("asking", 1_000_000, 60);

const named = rowShape({ u: "User" }, { username: "u.username" });
const withRole = rowShape({ u: "User" }, { username: "u.username", role: "u.role" });
const withId = rowShape({ u: "User" }, { username: "u.username", id: "u.id" });
const prepared = rowShape({}, { count: integer("count(*)") });

const byName = (name: string) => sql.read(named.from`"User" u WHERE u."username" = ${name}`);
const byKey = (name: string) => sql.read(withRole.from`"User" u WHERE u."usernameKey" = ${name.toLowerCase()}`);
const inTransaction = (name: string) => sql.write((tx) => tx.read(withId.from`"User" u WHERE u."username" = ${name}`));
const ways = [byName, byKey, inTransaction];

const result = { right: 0, wrong: 0, refused: [] as string[], named: 0 };
// The order of the statements differs between processes.
const shift = process.pid % ways.length;
for (let round = 0; round < 400; round += 20)
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const name = names[(round + index) % names.length] ?? "";
      try {
        const [row] = (await ways[(round + index + shift) % ways.length]?.(name)) ?? [];
        await limit.take(name);
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
