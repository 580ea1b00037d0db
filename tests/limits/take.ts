// Run as a process of its own: node --import tsx tests/limits/take.ts <key> <count>
// Takes so many at once from a limit of ten a minute, and prints how many of them were allowed.
import { closeDatabase } from "@/lib/db/client";
import { limiter } from "@/lib/limits";
import { closeRedis } from "@/lib/redis";

const [key = "", count] = process.argv.slice(2);
const { take } = limiter("shared", 10, 60);
const verdicts = await Promise.all(Array.from({ length: Number(count) }, () => take(key)));
process.stdout.write(String(verdicts.filter(({ allowed }) => allowed).length));
await closeRedis();
await closeDatabase();
