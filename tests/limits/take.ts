// Run as a process of its own, with <name> <key> <count>: takes so many at once from the limit of this name, and
// prints how many of them were allowed.
import { closeDatabase } from "@/lib/platform/db/client";
import { leasedLimiter } from "@/lib/platform/limits/leased";
import { limiter } from "@/lib/platform/limits/limits";
import { closeRedis } from "@/lib/platform/limits/redis";

const [name, key = "", count] = process.argv.slice(2);
const { take } = name === "leased" ? leasedLimiter("leased", 1_000, 600) : limiter("shared", 10, 60);
const verdicts = await Promise.all(Array.from({ length: Number(count) }, () => take(key)));
process.stdout.write(String(verdicts.filter(({ allowed }) => allowed).length));
await closeRedis();
await closeDatabase();
