// Asks for the users named, over and over and beside one another, by statements that this process first comes to in their order.
// Prints how often the answer was the right row, how often another one, what was refused, and how many statements are prepared.
import { closeDatabase, lookUps, sql, sqlTransaction } from "@/lib/db/client";
import { limiter } from "@/lib/limits";

const [first = "", ...others] = process.argv.slice(2);
const names = [first, ...others];
const limit = limiter("asking", 1_000_000, 60);

interface Found {
  username?: string;
  count?: number;
}

const byName = (name: string) => lookUps.$queryRaw<Found[]>`SELECT "username" FROM "User" WHERE "username" = ${name}`;
const byKey = (name: string) => sql.$queryRaw<Found[]>`SELECT "username", "role" FROM "User" WHERE "usernameKey" = ${name.toLowerCase()}`;
const inTransaction = (name: string) => sqlTransaction((tx) => tx.$queryRaw<Found[]>`SELECT "username", "id" FROM "User" WHERE "username" = ${name}`);
const ways = [byName, byKey, inTransaction];

const result = { right: 0, wrong: 0, refused: [] as string[], named: 0 };
// The order in which statements come is another one in each process.
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
const [prepared] = await sql.$queryRaw<{ count: number }[]>`SELECT count(*) AS "count" FROM pg_prepared_statements WHERE "name" LIKE 'latchkey %'`;
result.named = prepared?.count ?? 0;
console.log(JSON.stringify(result));
await closeDatabase();
