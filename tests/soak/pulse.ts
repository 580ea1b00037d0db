import assert from "node:assert/strict";
import { Agent, type RequestOptions, request } from "node:http";
import { createHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const EVERY_MS = 50;

export interface Pulse {
  answers: number;
  /** Milliseconds from when it was time to ask until the answer was there. */
  p50: number;
  p99: number;
  longest: number;
  /** Milliseconds between two answers, at most. */
  longestGap: number;
  /**
   * The 99th percentile of how late this process itself was, in milliseconds: so much of the rest is not the service's.
   */
  ownDelay: number;
}

/**
 * Asks for /health every 50 ms from `network`, on connections of its own, whether or not the last answer is there.
 * `fault` is told of each that is not 200.
 */
export function watchPulse(
  origin: string,
  network: string,
  fault: (reason: string) => void,
): { stop(): Promise<Pulse> } {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true });
  const times = createHistogram();
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  let [lastAnswer, longestGap] = [performance.now(), 0];
  const waiting = new Set<Promise<void>>();

  const beat = () => {
    const began = performance.now();
    const answered = ask({ agent, hostname, port, path: "/health", headers: { "X-Forwarded-For": network } })
      .then((text) => assert.equal(text, '200 {"status":"ok"}'))
      .catch((error: Error) => fault(error.message))
      .finally(() => {
        const now = performance.now();
        times.record(Math.max(1, Math.round((now - began) * 1_000)));
        longestGap = Math.max(longestGap, now - lastAnswer);
        lastAnswer = now;
        waiting.delete(answered);
      });
    waiting.add(answered);
  };
  const timer = setInterval(beat, EVERY_MS);
  const ms = (microseconds: number) => Math.round(microseconds / 100) / 10;
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(waiting);
      agent.destroy();
      own.disable();
      const [p50, p99, longest] = [times.percentile(50), times.percentile(99), times.max].map(ms) as [
        number,
        number,
        number,
      ];
      return {
        answers: times.count,
        p50,
        p99,
        longest,
        longestGap: Math.round(longestGap),
        ownDelay: ms(own.percentile(99) / 1_000),
      };
    },
  };
}

function ask(options: RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", reject).on("end", () => resolve(`${response.statusCode} ${text}`));
    });
    sent.on("error", reject).end();
  });
}
