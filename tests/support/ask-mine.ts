// Run by lists.test.ts in a process of its own: asks /keys/mine once, and prints how much the process grew.
import { GET } from "@/app/(api)/keys/mine/route";
import { closeDatabase } from "@/lib/platform/db/client";

async function ask(limit: string): Promise<{ keys: number; bytes: number }> {
  const answer = await GET(new Request(`http://localhost/keys/mine?auth=${process.argv[2]}${limit}`));
  if (answer.status !== 200 || !answer.body) throw new Error(`/keys/mine answered ${answer.status}`);
  let [keys, bytes] = [0, 0];
  for await (const chunk of answer.body) {
    keys += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString().split('"isCreator"').length - 1;
    bytes += chunk.length;
  }
  return { keys, bytes };
}

// What the first request of a process loads is not what this one costs.
await ask("&limit=1");
const before = process.memoryUsage.rss();
let most = before;
const look = () => {
  most = Math.max(most, process.memoryUsage.rss());
};
const watch = setInterval(look, 5);
const answered = await ask("");
clearInterval(watch);
look();
console.log(JSON.stringify({ ...answered, grownBytes: most - before }));
await closeDatabase();
