import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { residentBytes } from "@/tests/soak/client";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { closeConnections, newNetwork, sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { openSocket } from "@/tests/support/sockets";
import type { TestUser } from "@/tests/support/user";

const ERROR = 50;
const SETTLED = { interval: 200 };

export const PASSWORD = "correct horse battery";

/** A service of its own for these tests, with an operator and one user; `variables` are for both. */
export function startWithOneUser(
  database: "sqlite" | "postgresql" = "sqlite",
  variables: () => Record<string, string> = () => ({}),
) {
  let service: RunningService;
  let operator: Operator;
  let user: TestUser;
  beforeAll(async () => {
    service = await startService({ lane: "direct", database }, variables());
    operator = await startOperator({ ...service.storage, NEXTAUTH_URL: service.url, ...variables() });
    user = await operator.tell("createUser", "someone", PASSWORD);
  });
  afterAll(async () => {
    operator?.stop();
    await service?.stop();
  });

  const logged = () => readFileSync(service.logFile, "utf8");
  const resident = () => residentBytes(service.pids()[0] ?? 0);
  /** What the service says of itself, while this process has one connection to it. */
  async function held() {
    closeConnections();
    const headers = { Authorization: `Bearer ${service.metricsToken}` };
    const { text } = await sendTo(service.url, "/metrics", { headers });
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    return { files: figure("process_open_fds"), handles: figure("nodejs_active_handles_total") };
  }
  return {
    // There once the tests run.
    get service() {
      return service;
    },
    get operator() {
      return operator;
    },
    get user() {
      return user;
    },
    resident,
    /** Other clients get responses as usual, whatever one of them does: on open connections and on new ones. */
    async expectAnswers(): Promise<void> {
      const query = { auth: user.token };
      const network = newNetwork().id;
      const status = async (path: string, asking = {}) =>
        (await sendTo(service.url, path, { network, ...asking })).status;
      for (let count = 0; count < 10; count++) {
        expect(await status("/me", { query })).toBe(200);
        expect(await status("/health", { headers: { Connection: "close" } })).toBe(200);
      }
      expect(await status("/keys/create", { query: { ...query, data: "kept", price: "1" } })).toBe(200);
      expect(await status("/signin")).toBe(200);
    },
    /** Notes what the service holds. Answers what expects that it holds no more, and has logged no error since. */
    async note() {
      // The service has seen by the second time what was closed for the first.
      await held();
      const [before, began, from] = [await held(), await resident(), logged().length];
      return {
        growth: async () => (await resident()) - began,
        async expectNothingLeft(): Promise<void> {
          await expect.poll(async () => (await held()).files, SETTLED).toBeLessThanOrEqual(before.files);
          await expect.poll(async () => (await held()).handles, SETTLED).toBeLessThanOrEqual(before.handles);
          const lines = logged().slice(from).split("\n").filter(Boolean);
          expect(lines.filter((line) => !line.startsWith("{") || JSON.parse(line).level >= ERROR)).toEqual([]);
        },
      };
    },
  };
}

/**
 * Reads so many bytes of the response to a request, stops reading, and goes away, politely or with a reset. Returns the
 * status, "" if nothing was to be read.
 */
export async function breakOff(
  url: string,
  head: string,
  { bytes, isRude }: { bytes: number; isRude: boolean },
): Promise<string> {
  const { socket, closed } = await openSocket(url, head);
  let came = 0;
  let status = "";
  socket.on("data", (chunk: Buffer) => {
    status ||= chunk.toString("latin1", 9, 12);
    came += chunk.length;
    if (came >= bytes) socket.pause();
  });
  while (came < bytes && (status === "" || status === "200")) await sleep(1);
  if (isRude) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
  return status;
}
