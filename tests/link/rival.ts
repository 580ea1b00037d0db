// One of two processes that race for the same codes. Reads them as a line of JSON, says that it is ready, waits for the
// next line, and prints what it got.
import { createInterface } from "node:readline";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { closeDatabase } from "@/lib/platform/db/client";
import type { Network } from "@/lib/platform/network/network";
import { newNetwork } from "@/tests/support/request";

import { collect } from "./flow";

export interface Task {
  program: string;
  userId: string;
  denies: boolean;
  requests: string[];
  open: { code: string; network: Network }[];
}

export interface Won {
  decided: string[];
  tokens: (string | null)[][];
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const task: Task = JSON.parse(String((await lines.next()).value));
await collect("QQQQQQ", newNetwork());
process.stdout.write("ready\n");
await lines.next();

const decide = task.denies ? denyRequest : approveRequest;
const won: Won = { decided: [], tokens: [] };
for (const id of task.requests)
  await decide({ id: task.userId, network: newNetwork() }, id).then(
    () => won.decided.push(id),
    () => {},
  );
for (const { code, network } of task.open) {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => collect(code, network, new Date(), { program: task.program })),
  );
  won.tokens.push(answers.map((answer) => answer?.token ?? null));
}
process.stdout.write(`${JSON.stringify(won)}\n`);
await closeDatabase();
