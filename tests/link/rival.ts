// One of two processes that race for the same codes. Gets them as JSON on standard input, waits for the time that it is
// told, and prints what it got.
import { text } from "node:stream/consumers";
import { closeDatabase } from "@/lib/db/client";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import type { Network } from "@/lib/network";
import { collect } from "./flow";

interface Task {
  userId: string;
  network: Network;
  startAt: number;
  /** To approve. */
  requests: string[];
  /** To approve, or to deny. */
  disputed: string[];
  denies: boolean;
  /** To collect, five times at once. */
  codes: string[];
}

export interface Won {
  approved: string[];
  disputed: string[];
  /** Of each code, what each of the five got. */
  tokens: (string | null)[][];
}

const task: Task = JSON.parse(await text(process.stdin));
await collect("QQQQQQ", task.network);
await new Promise((resolve) => setTimeout(resolve, task.startAt - Date.now()));

const decider = { id: task.userId, network: task.network };

/** The requests that were decided here, and not by the other. */
async function decide(requests: string[], decision: typeof approveRequest): Promise<string[]> {
  const won: string[] = [];
  for (const id of requests)
    await decision(decider, id).then(
      () => won.push(id),
      () => {},
    );
  return won;
}

const won: Won = {
  approved: await decide(task.requests, approveRequest),
  disputed: await decide(task.disputed, task.denies ? denyRequest : approveRequest),
  tokens: [],
};
for (const code of task.codes) {
  const answers = await Promise.all(Array.from({ length: 5 }, () => collect(code, task.network)));
  won.tokens.push(answers.map((answer) => answer?.token ?? null));
}
process.stdout.write(JSON.stringify(won));
await closeDatabase();
