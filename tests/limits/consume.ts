// Run as a process of its own, with <name> <key> <count>: counts so many at once in the limit of this name, and
// prints how many of them were allowed.
import { closeDatabase } from "@/lib/platform/db/client";
import { leasedLimiter } from "@/lib/platform/limits/leased";
import { limiter } from "@/lib/platform/limits/limits";

const [name, key = "", count] = process.argv.slice(2);
const { consume } = name === "leased" ? leasedLimiter("leased", 1_000, 600) : limiter("shared", 10, 600);
const verdicts = await Promise.all(Array.from({ length: Number(count) }, () => consume(key)));
process.stdout.write(String(verdicts.filter(({ allowed }) => allowed).length));
await closeDatabase();
