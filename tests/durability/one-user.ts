import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";
import { residentBytes } from "@/tests/soak/client";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { ask } from "@/tests/support/http";
import { closeConnections, newNetwork, sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { type SmallDisk, type SmallDiskKind, smallDisk } from "@/tests/support/small-disk";
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

/** A service with one user, on a small disk of its own. */
export function startOnSmallDisk(kind: SmallDiskKind) {
  let disk: SmallDisk;
  beforeAll(() => {
    disk = smallDisk(kind);
  });
  afterAll(() => disk?.remove());
  const own = startWithOneUser("sqlite", () => disk.variables);
  const call = (path: string, query: Record<string, string> = {}) =>
    ask(path, { query: { ...query, auth: own.user.token } }, own.service.url);
  const create = (data: string) => call("/keys/create", { data, price: "1" });
  return { own, disk: () => disk, call, create };
}
