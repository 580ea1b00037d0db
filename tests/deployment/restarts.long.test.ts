import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { freePort } from "@/scripts/scratch-server";
import { Service } from "@/tests/processes/npm-start";
import { startOperator } from "@/tests/soak/operator";
import { ownFolder } from "@/tests/support/place";
import { nginx, sample, startProxy } from "@/tests/support/proxies";

/** Two processes behind nginx, as docs/operations.md says, while each of them restarts. Needs nginx. */

const ROUNDS = 10;
const ENDING = ["SIGTERM", "SIGHUP", "SIGQUIT"] as const;
const CLIENTS = 8;
const folder = ownFolder("restarts");
const variables: Record<string, string> = {
  AUTH_SECRET: "s".repeat(40),
  NEXTAUTH_URL: "https://keys.example.org",
  KEYS_PER_CREATOR: "1000000",
};
let postgres: ScratchPostgres;
let proxy: ReturnType<typeof startProxy>;
let address: string;
let token: string;
const ports: string[] = [];
const running: Service[] = [];

const start = (port: string) => new Service({ ...variables, PORT: port, TRUSTED_PROXIES: "loopback" });

beforeAll(async () => {
  postgres = await startPostgres();
  variables.DATABASE_URL = await createDatabase(postgres.url, "latchkey");
  for (let count = 0; count < 2; count++) {
    const port = String(await freePort());
    ports.push(port);
    const service = start(port);
    await ready(port);
    running.push(service);
  }
  const operator = await startOperator({ ...variables, NEXTAUTH_URL: `http://127.0.0.1:${ports[0]}` });
  ({ token } = await operator.tell("createUser", "someone", "correct horse battery"));
  operator.stop();
  const own = await freePort();
  address = `http://127.0.0.1:${own}`;
  const upstream = sample("upstream latchkey {").replace("3000", String(ports[0])).replace("3001", String(ports[1]));
  const site = sample("# /etc/nginx/conf.d/latchkey.conf")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${own};`)
    .replace(/^ *ssl_certificate.*$/gm, "")
    .replace(
      "proxy_pass http://127.0.0.1:3000;",
      "proxy_pass http://latchkey;\nproxy_next_upstream error timeout http_503;",
    )
    .replace("proxy_set_header Host $host;", "proxy_set_header Host keys.example.org;")
    .replaceAll("/var/log/nginx", folder);
  proxy = startProxy(nginx(folder, "nginx", `${upstream}\n${site}`));
  await untilReady(`${address}/ready`);
});
afterAll(async () => {
  proxy?.kill();
  for (const service of running) await service[Symbol.asyncDispose]();
  await postgres?.stop();
});

/** Waits until this answers 200. */
async function untilReady(ready: string): Promise<void> {
  const isReady = () =>
    fetch(ready).then(
      (response) => response.ok,
      () => false,
    );
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) if (await isReady()) return;
  throw new Error(`${ready} is not ready.`);
}
const ready = (port: string | undefined) => untilReady(`http://127.0.0.1:${port}/ready`);
const status = (path: string) => fetch(address + path).then((response) => response.status, String);

test(`each of two processes restarts ${ROUNDS} times, and nobody gets an error`, async () => {
  let isOver = false;
  const others: (string | number)[] = [];
  let answered = 0;
  const client = async (which: number) => {
    for (let count = 0; !isOver; count++) {
      const change = `/keys/create?data=a&price=1&auth=${token}&request=${which}-${count}-${"x".repeat(20)}`;
      const found = await status(count % 4 ? `/me?auth=${token}` : change);
      if (found === 200) answered++;
      else others.push(found);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, which) => client(which));
  for (let round = 0; round < ROUNDS; round++)
    for (const [which, port] of ports.entries()) {
      // What only restarts others, or opens an inspector, does nothing.
      for (const signal of ["SIGUSR1", "SIGUSR2"] as const) running[which]?.signal(signal);
      await sleep(500);
      running[which]?.signal(ENDING[round % ENDING.length] ?? "SIGTERM");
      expect(await running[which]?.exit()).toBe(0);
      running[which] = start(port);
      await ready(port);
      // nginx tries it again.
      await sleep(2_500);
    }
  isOver = true;
  await Promise.all(clients);
  expect(others).toEqual([]);
  expect(answered).toBeGreaterThan(1_000);
});
