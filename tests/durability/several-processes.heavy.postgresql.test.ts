import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, dropDatabase } from "@/scripts/postgres";
import { expectSuccess } from "@/tests/contract/answers";
import { runScript } from "@/tests/support/admin";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { newUserOf } from "@/tests/support/operator";
import { acquirePostgres } from "@/tests/support/postgres";
import { type RunningService, startService } from "@/tests/support/service";
import { beginPost } from "@/tests/support/sockets";

describe("WEB_CONCURRENCY", () => {
  const WORKERS = 3;
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ lane: "direct", database: "postgresql" }, { WEB_CONCURRENCY: String(WORKERS) });
  });
  afterAll(() => service?.stop());

  const primary = () => service.pids()[0] ?? 0;
  const workers = () =>
    execFileSync("ps", ["-o", "pid=", "--ppid", String(primary())], { encoding: "utf8" })
      .trim()
      .split(/\s+/)
      .map(Number);
  const migrations = () =>
    readFileSync(service.logFile, "utf8")
      .split("\n")
      .filter((line) => line.includes("migrated the database"));

  test("so many processes answer, after one of them has migrated", async () => {
    await expect.poll(async () => (await ask("/ready", {}, service.url)).status).toBe(200);
    expect(workers()).toHaveLength(WORKERS);
    expect(migrations()).toHaveLength(1);
  });

  test("one that dies is replaced, and nobody is refused meanwhile", async () => {
    const token = await newUserOf(service, "someone");
    const before = workers();
    process.kill(before[0] ?? 0, "SIGKILL");
    const logged = (words: string) => readFileSync(service.logFile, "utf8").includes(words);
    // Then the new one is handed its share too.
    for (let after = 0; after < 10 * WORKERS; after += logged("a worker replaced one that ended") ? 1 : 0) {
      const response = await fetch(`${service.url}/me?auth=${token}`, { headers: { Connection: "close" } }).catch(
        () => undefined,
      );
      if (response) expect(response.status).toBe(200);
    }
    expect(logged("a worker ended and will be replaced")).toBe(true);
    expect(workers()).toHaveLength(WORKERS);
    expect(workers().filter((pid) => !before.includes(pid))).toHaveLength(1);
  });

  test("SIGTERM ends all of them, and the running request is answered first", async () => {
    const body = "username=nobody&password=nothing";
    const running = await beginPost(service.url, "/api/auth/callback/credentials", body.length);
    const before = workers();
    process.kill(primary(), "SIGTERM");
    running.socket.write(body);
    await running.closed;
    expect(running.received()).toMatch(/\r\n\r\nHTTP\/1\.1 [34]\d\d /);
    await service.ended();
    const left = before.filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });
    expect(left).toEqual([]);
    await expect(fetch(`${service.url}/health`)).rejects.toThrow();
  });
});

test("WEB_CONCURRENCY is refused with the embedded database, in a sentence that says why", async () => {
  const { status, stdout, stderr } = await runScript("scripts/check-configuration.ts", [], {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    WEB_CONCURRENCY: "2",
  });
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/^WEB_CONCURRENCY must be 1 with the embedded database, [^\n]+PostgreSQL[^\n]+\.\n$/),
  ]);
});

describe("two machines on one database", () => {
  const name = `latchkey_test_${randomBytes(6).toString("hex")}`;
  const TRIES = 10;
  let server: Awaited<ReturnType<typeof acquirePostgres>>;
  let machines: [RunningService, RunningService];
  let token: string;
  beforeAll(async () => {
    server = await acquirePostgres();
    const variables = {
      DATABASE_URL: await createDatabase(server.url, name),
      AUTH_SECRET: randomBytes(32).toString("base64url"),
      NEXTAUTH_URL: "https://keys.example.org",
      FAILED_TOKENS_PER_MINUTE: String(TRIES),
    };
    const start = () => startService({ lane: "direct", database: "sqlite" }, variables);
    machines = await Promise.all([start(), start()]);
    token = await newUserOf({ ...machines[0], storage: variables }, "someone");
  });
  afterAll(async () => {
    await Promise.all((machines ?? []).map((machine) => machine.stop()));
    await dropDatabase(server.url, name);
    await server.release();
  });

  test("started at once on an empty database, one of them migrated", () => {
    const migrated = machines.filter(({ logFile }) => readFileSync(logFile, "utf8").includes("migrated the database"));
    expect(migrated).toHaveLength(1);
  });

  test("what one is told, the other knows with the next request", async () => {
    const [one, other] = machines;
    for (let round = 0; round < 10; round++) {
      const key = expectSuccess(await ask("/keys/create", { query: { auth: token, data: "first", price: 1 } }, one.url))
        .body?.key;
      expectSuccess(
        await ask(`/keys/update/${key}`, { query: { auth: token, key: "data", data: `second ${round}` } }, other.url),
      );
      expect(expectSuccess(await ask(`/keys/get/${key}`, { query: { auth: token } }, one.url)).body?.data).toBe(
        `second ${round}`,
      );
      expectSuccess(await ask(`/keys/delete/${key}`, { query: { auth: token } }, other.url));
      expect((await ask(`/keys/get/${key}`, { query: { auth: token } }, one.url)).status).toBe(404);
    }
  });

  test("wrong tokens are counted together", async () => {
    const network = newNetwork().id;
    const statuses: number[] = [];
    for (let count = 0; count < TRIES + 4; count++)
      statuses.push((await ask("/me", { query: { auth: "wrong" }, network }, machines[count % 2]?.url)).status);
    expect(statuses).toEqual([...Array(TRIES).fill(401), ...Array(4).fill(429)]);
  });
});
