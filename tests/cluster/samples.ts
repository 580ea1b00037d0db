import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { postgresBinaries } from "@/scripts/postgres";
import { freePort } from "@/scripts/scratch-server";

const SAMPLES = "docs/high-availability";

export const MACHINES = {
  db1: "10.0.0.11",
  db2: "10.0.0.12",
  db3: "10.0.0.13",
  app1: "10.0.0.21",
  app2: "10.0.0.22",
  lb1: "10.0.0.31",
} as const;
export type Machine = keyof typeof MACHINES;

export const DATABASES = ["db1", "db2", "db3"] as const satisfies Machine[];
export type DatabaseMachine = (typeof DATABASES)[number];

/** Gives another port for one on the way into a machine, or out of it to etcd: a test can break that way. */
export type Way = (machine: Machine, port: number) => Promise<number>;

/**
 * Reads the files of docs/high-availability for a cluster with its data in `folder`, with what is different if all
 * machines are this one. Each call has passwords of its own.
 */
export function readSamples(folder: string, way: Way) {
  const secrets = new Map<string, string>();
  const secret = (name: string) => keep(secrets, name, () => randomBytes(32).toString("base64url"));
  const ports = new Map<string, Promise<number>>();
  /** The port of 127.0.0.1 that stands for this port of a machine. */
  const port = (machine: Machine, number: number) => keep(ports, `${machine} ${number}`, freePort);
  const through = (machine: Machine, target: Machine, number: number) =>
    keep(ports, `${machine} to ${target} ${number}`, async () => way(machine, await port(target, number)));

  /** The port for an address that a line of a machine's file has. */
  function seen(line: string, machine: Machine, host: string, number: number): Promise<number> {
    const isOwn = host === "127.0.0.1" || /^\w*(?:LISTEN|ADVERTISE|CONNECT)\w*=/.test(line);
    const target = isOwn ? machine : machineAt(host);
    if (/LISTEN/.test(line)) return port(target, number);
    if (target.startsWith("db") && (number === 5432 || number === 8008)) return through(target, target, number);
    return line.startsWith("    - ") ? through(machine, target, number) : port(target, number);
  }

  async function placed(line: string, machine: Machine): Promise<string> {
    let result = line;
    for (const [address, host = "", number] of line.matchAll(/((?:\d+\.){3}\d+):(\d+)/g))
      result = result.replace(address, `127.0.0.1:${await seen(line, machine, host, Number(number))}`);
    const checked = /^ {2}server \w+ ([\d.]+):\d+ check port (\d+)$/.exec(line);
    if (checked) {
      const checkPort = await seen(line, machine, checked[1] ?? "", Number(checked[2]));
      result = result.replace(/port \d+$/, `port ${checkPort}`);
    }
    // In PgBouncer's file, addresses and ports stand apart.
    const apart = /(?<=port ?= ?)\d+/.exec(result);
    return apart ? result.replace(/(?<=port ?= ?)\d+/, String(await port(machine, Number(apart[0])))) : result;
  }

  /** The text of a sample, as this machine would have it. */
  async function text(file: string, machine: Machine): Promise<string> {
    const lines = readFileSync(join(SAMPLES, file), "utf8").split("\n");
    const whole = (await Promise.all(lines.map((line) => placed(line, machine)))).join("\n");
    return replacements(folder, machine)
      .reduce((result, [there, here]) => result.replaceAll(there, here), whole)
      .replace(/change-this-[\w-]+/g, secret);
  }
  return {
    port,
    text,
    /** The same, of a sample that is a list of variables. */
    variables: async (file: string, machine: Machine) => parseEnv(await text(file, machine)) as Record<string, string>,
  };
}

/** What the samples have, and what stands in its place if all machines are this one. */
const replacements = (folder: string, machine: Machine): [string, string][] => [
  ["/var/lib/etcd/latchkey", join(folder, machine, "etcd")],
  ["/var/lib/postgresql/latchkey", join(folder, machine, "postgresql")],
  ["/usr/lib/postgresql/15/bin", postgresBinaries() ?? ""],
  ["/etc/patroni/", `${join(folder, machine)}/`],
  ["/etc/pgbouncer/userlist.txt", join(folder, machine, "userlist.txt")],
  ["10.0.0.0/24", "127.0.0.1/32"],
  [`HOST=${MACHINES.app1}`, "HOST=127.0.0.1"],
  [MACHINES.lb1, "127.0.0.1"],
  // There is no certificate here; and whoever tries it out may say which network they come from.
  [" ssl crt /etc/ssl/latchkey/certificate-and-key.pem alpn h2,http/1.1", ""],
  ["X-Forwarded-Proto https", "X-Forwarded-Proto http"],
  ["X-Forwarded-For %[src]", "X-Forwarded-For %[src] unless { req.fhdr(X-Forwarded-For) -m found }"],
];

function machineAt(address: string): Machine {
  const found = Object.entries(MACHINES).find(([, itsAddress]) => itsAddress === address);
  if (!found) throw new Error(`The samples know no machine at ${address}.`);
  return found[0] as Machine;
}

function keep<Value>(known: Map<string, Value>, name: string, make: () => Value): Value {
  const value = known.get(name) ?? make();
  known.set(name, value);
  return value;
}
