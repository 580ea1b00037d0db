// One of two processes that race for the same codes. Gets them as JSON on standard input, waits for the time that it is told, and
// prints what it got.
import { text } from "node:stream/consumers";
import { closeDatabase } from "@/lib/db/client";
import { approveRequest } from "@/lib/link/decide";
import { collectToken } from "@/lib/link/poll";
import type { Network } from "@/lib/network";

interface Task {
  userId: string;
  network: Network;
  startAt: number;
  /** To approve. */
  requests: string[];
  /** To collect. */
  codes: string[];
}

const task: Task = JSON.parse(await text(process.stdin));
await collectToken("QQQQQQ", task.network);
await new Promise((resolve) => setTimeout(resolve, task.startAt - Date.now()));

const approved: string[] = [];
for (const id of task.requests)
  await approveRequest({ id: task.userId, network: task.network }, id).then(
    () => approved.push(id),
    () => {},
  );
const tokens: (string | null)[] = [];
for (const code of task.codes) tokens.push((await collectToken(code, task.network))?.token ?? null);
process.stdout.write(JSON.stringify({ approved, tokens }));
await closeDatabase();
