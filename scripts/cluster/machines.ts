import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unprivilegedUser } from "../scratch-server";
import type { ClusterFiles, DatabaseMachine, Machine } from "./samples";
import type { Launch } from "./supervised";

/** Starts a program of a machine. */
export type Launcher = (machine: Machine, launch: Launch) => void;

/** A machine of the database: a member of etcd, and PostgreSQL under Patroni. */
export async function startDatabase(
  folder: string,
  machine: DatabaseMachine,
  samples: ClusterFiles,
  launch: Launcher,
): Promise<void> {
  const own = ownFolder(folder, machine);
  const etcd = await samples.variables("etcd.env", machine);
  launch(machine, {
    name: "etcd",
    program: "etcd",
    parameters: [],
    environment: { ...etcd, ETCD_NAME: machine },
    unprivileged: true,
  });
  for (const program of ["copy", "rewind"]) chmodSync(await place(own, program, machine, samples), 0o755);
  const patroni = await samples.variables("patroni.env", machine);
  launch(machine, {
    name: "patroni",
    program: "patroni",
    parameters: [await place(own, "patroni.yml", machine, samples)],
    environment: { ...patroni, PATRONI_NAME: machine },
    unprivileged: true,
  });
}

/** An application machine's HAProxy, which leads to the primary, and its PgBouncer. */
export async function startWayToDatabase(
  folder: string,
  machine: Machine,
  samples: ClusterFiles,
  launch: Launcher,
): Promise<void> {
  const own = ownFolder(folder, machine);
  const { DATABASE_URL } = await samples.variables("latchkey.env", machine);
  const { username, password } = new URL(String(DATABASE_URL));
  writeFileSync(join(own, "userlist.txt"), `"${username}" "${password}"\n`);
  launch(machine, {
    name: "haproxy",
    program: "haproxy",
    parameters: ["-db", "-f", await place(own, "haproxy-database.cfg", machine, samples)],
  });
  launch(machine, {
    name: "pgbouncer",
    program: "pgbouncer",
    parameters: ["-q", await place(own, "pgbouncer.ini", machine, samples)],
    unprivileged: true,
  });
}

/** Latchkey. On app2 it uses the PgBouncer, as many processes would; on app1 it goes without. */
export async function startApplication(
  folder: string,
  machine: Machine,
  samples: ClusterFiles,
  launch: Launcher,
): Promise<void> {
  const variables = await samples.variables("latchkey.env", machine);
  const url = new URL(String(variables.DATABASE_URL));
  if (machine === "app2") url.port = String(await samples.port(machine, 6432));
  launch(machine, {
    name: "latchkey",
    program: process.execPath,
    parameters: [join(process.cwd(), "scripts", "start.mjs")],
    environment: {
      ...variables,
      DATABASE_URL: url.href,
      DIRECT_DATABASE_URL: String(variables.DATABASE_URL),
      PORT: String(await samples.port(machine, 3000)),
      NEXTAUTH_URL: `http://127.0.0.1:${await samples.port("lb1", 443)}`,
      DATA_DIR: join(folder, machine, "data"),
    },
    folder: process.cwd(),
  });
}

export async function startBalancer(folder: string, samples: ClusterFiles, launch: Launcher): Promise<void> {
  const file = await place(ownFolder(folder, "lb1"), "haproxy-balancer.cfg", "lb1", samples);
  launch("lb1", { name: "haproxy", program: "haproxy", parameters: ["-db", "-f", file] });
}

function ownFolder(folder: string, machine: Machine): string {
  const own = join(folder, machine);
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o755);
  const user = unprivilegedUser();
  if (user) chownSync(own, user.uid, user.gid);
  return own;
}

async function place(own: string, file: string, machine: Machine, samples: ClusterFiles): Promise<string> {
  const path = join(own, file);
  writeFileSync(path, await samples.text(file, machine));
  return path;
}
