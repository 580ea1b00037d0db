// Run by mine-memory.test.ts in a process of its own: asks /keys/mine once, and prints how long that took and how much
// the process grew.
import { GET } from "@/app/(api)/keys/mine/route";
import { closeDatabase } from "@/lib/db/client";

async function ask(limit?: number): Promise<{ keys: number; bytes: number }> {
  const query = `auth=${process.argv[2]}${limit === undefined ? "" : `&limit=${limit}`}`;
  const answer = await GET(new Request(`http://localhost/keys/mine?${query}`));
  if (answer.status !== 200 || !answer.body) throw new Error(`/keys/mine answered ${answer.status}`);
  let [keys, bytes] = [0, 0];
  const reader = answer.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const chunk = read.value;
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = text.indexOf('"isCreator"'); at >= 0; at = text.indexOf('"isCreator"', at + 1)) keys++;
    bytes += chunk.length;
  }
  return { keys, bytes };
}

// What the first request of a process loads is not what this one costs.
await ask(1);
const before = process.memoryUsage.rss();
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 5);
const started = performance.now();
const answered = await ask();
const ms = performance.now() - started;
clearInterval(watch);
most = Math.max(most, process.memoryUsage.rss());
console.log(JSON.stringify({ ...answered, ms: Math.round(ms), grownBytes: most - before }));
await closeDatabase();
