import { fork } from "node:child_process";
import { bundled } from "@/scripts/bundled.mjs";
import type { Done, Verbs } from "@/tests/support/operator-process";

/** Somebody who does beside the service what people do on its pages. */
export interface Operator {
  /** Runs one of the verbs there. Throws what it threw. */
  tell<Name extends keyof Verbs>(
    verb: Name,
    ...parameters: Parameters<Verbs[Name]>
  ): Promise<Awaited<ReturnType<Verbs[Name]>>>;
  pid: number;
  stop(): void;
}

/** Starts the process. `storage` names the service's database and secret. */
export async function startOperator(storage: Record<string, string>): Promise<Operator> {
  const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, LOG_LEVEL: "silent", ...storage };
  const child = fork(await bundled("tests/support/operator-process.ts"), [], { execArgv: [], env: environment });
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  child.on("message", (done: Done) => {
    const { resolve, reject } = waiting.get(done.id) ?? {};
    waiting.delete(done.id);
    if ("error" in done) reject?.(new Error(`The operator was refused: ${done.error}`));
    else resolve?.(done.result as never);
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The operator's process ended (${code}).`));
  });
  return {
    tell: (verb, ...parameters) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        child.send({ id, verb, parameters }, (error) => error && reject(error));
      }),
    pid: child.pid ?? 0,
    stop: () => child.connected && child.disconnect(),
  };
}
