import { performance } from "node:perf_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { refusedUnderNext } from "@/lib/api/under-next";

// Alone: in a process where other tests have begun a server, requests have had their turn before Next.

test("requests from one address, without server.ts, do not keep another's waiting", async () => {
  const done: string[] = [];
  const health = async (from: string) => {
    const request = new Request("http://localhost/health", { headers: { "X-Forwarded-For": from } });
    await refusedUnderNext(request, { route: "/health" });
    const until = performance.now() + 4;
    while (performance.now() < until);
    done.push(from);
  };
  for (const from of [...Array<string>(20).fill("many"), "few"]) setImmediate(() => void health(from));
  while (done.length < 21) await turn();
  expect(done.indexOf("few")).toBeLessThan(6);
});
