// Run as a process of its own: node --import tsx tests/limits/take-leased.ts <key> <count>
// Takes so many at once from a limit of 1,000 in ten minutes, and prints how many of them were allowed.
import { closeDatabase } from "@/lib/db/client";
import { leasedLimiter } from "@/lib/leased-limits";

const [key = "", count] = process.argv.slice(2);
const { take } = leasedLimiter("leased", 1_000, 600);
const verdicts = await Promise.all(Array.from({ length: Number(count) }, () => take(key)));
process.stdout.write(String(verdicts.filter(({ allowed }) => allowed).length));
await closeDatabase();
