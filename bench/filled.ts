// node --import tsx bench/filled.ts [sqlite|postgres] [users] [keys] [events], with a build: fills an instance and prints
// how long each page of the console, the list of keys, the start, a sweep and the doctor take there, and their memory.
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@/scripts/postgres";
import { signInByPassword } from "@/tests/support/user";
import { run, typescript } from "./child";
import { load, machine, residentBytes } from "./machine";
import { emptyStorage, startLatchkey } from "./service";

const [kind = "sqlite", users = "200000", keys = "1000000", events = "3000000"] = process.argv.slice(2);
const PAGES = ["", "/users", "/keys", "/links", "/audit", "/settings"].map((path) => `/admin${path}`);
const OTHERS = ["?range=month", "/users?sort=keys", "/users?find=user-01", "/audit?action=user.signin"];
const VISITS = 3;
const CRON_SECRET = "a secret of this benchmark's timer";
/** A seeded user with keys. */
const CREATOR = "user-0000000";
const PASSWORD = "a password of this benchmark";

const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(2);
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

async function timed<T>(work: string, action: () => Promise<T>, pid?: number): Promise<T> {
  const began = performance.now();
  const result = await action();
  console.log(`${work.padEnd(34)} ${seconds(began)} s${pid ? `, then ${megabytes(residentBytes(pid))}` : ""}`);
  return result;
}

async function visit(address: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(address, { headers, redirect: "manual" });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${address}: ${response.status} ${text.slice(0, 200)}`);
  return text;
}

const command = (environment: Record<string, string>, parameters: string[], input?: string) =>
  run(["scripts/admin.mjs", ...parameters], { environment, input });

console.log(`${kind}: ${users} users, ${keys} keys, ${events} events, on ${machine()}, at a load of ${load()}`);
const postgres = kind === "postgres" ? await startPostgres() : undefined;
try {
  const environment = await emptyStorage(postgres ? { postgres: postgres.url } : "sqlite");
  await timed("filling", () => run(typescript("tests/support/seed/process.ts", users, keys, events), { environment }));
  await command(environment, ["user:create", "operator"], `${PASSWORD}\n`);
  await command(environment, ["user:role", "operator", "admin"]);
  await command(environment, ["user:password", CREATOR], `${PASSWORD}\n`);
  const service = await timed("start, to the first response", () =>
    startLatchkey({ environment, keys: [] }, "direct", { CRON_SECRET }),
  );
  try {
    await sleep(5_000);
    console.log(`${"idle".padEnd(34)} ${megabytes(residentBytes(service.pid))}`);
    const cookie = await signInByPassword(service.url, "operator", PASSWORD);
    const headers = { Cookie: cookie, Accept: "text/html" };
    const creator = { ...headers, Cookie: await signInByPassword(service.url, CREATOR, PASSWORD) };
    const sweep = () => visit(`${service.url}/api/sweep`, { Authorization: `Bearer ${CRON_SECRET}` });
    await timed("a first sweep", sweep, service.pid);
    for (const path of [...PAGES, ...OTHERS.map((one) => `/admin${one}`), "/keys"])
      for (let n = 1; n <= VISITS; n++) {
        const from = path === "/keys" ? creator : headers;
        await timed(`${path}, visit ${n}`, () => visit(service.url + path, from), service.pid);
      }
    await timed("a sweep", sweep, service.pid);
  } finally {
    await service.stop();
  }
  // What was filled in is not sealed, which the doctor would find.
  await timed("data:rotate", () => command(environment, ["data:rotate"]));
  await timed("doctor", () => command(environment, ["doctor"]));
} finally {
  await postgres?.stop();
}
