import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { environment } from "@/lib/platform/env";
import manifest from "@/package.json";
import { MACHINES, type Machine, readSamples } from "@/tests/cluster/samples";

interface Composed {
  image?: string;
  user?: string;
  ports?: string[];
  env_file?: unknown;
  environment: Record<string, unknown>;
}

const text = readFileSync("compose.yaml", "utf8");
const services: Record<string, Composed> = parse(text).services;
const dockerfile = readFileSync("Dockerfile", "utf8");
const PINNED = /^[a-z]+:\d+\.\d+\.?\d*[\w.-]*@sha256:[0-9a-f]{64}$/;

test.each(Object.entries(services))(
  "%s has no capability, gains none, and writes nowhere but into its volumes",
  (_, service) => {
    const rights = { cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], read_only: true };
    expect(service).toMatchObject(rights);
    expect(service).not.toHaveProperty("cap_add");
  },
);

test("images are of this version or pinned, and nothing ends as root", () => {
  const { latchkey, ...others } = services;
  expect(latchkey).toMatchObject({ build: ".", image: `ghcr.io/latchkey/latchkey:${manifest.version}` });
  for (const { user, image } of Object.values(others))
    expect([user, image]).toEqual([expect.stringMatching(/^(?!root$)[a-z]+$/), expect.stringMatching(PINNED)]);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases).toEqual([`\${NODE_IMAGE}`, `\${NODE_IMAGE}`]);
  expect(/^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]).toMatch(PINNED);
  expect([...dockerfile.matchAll(/^USER (\S+)/gm)].at(-1)?.[1]).toBe("node");
  // A frontend that is fetched at each build would be code that nobody has looked at.
  expect(dockerfile).not.toMatch(/^# *syntax/m);
});

test("only this machine reaches a port, and only Latchkey's", () => {
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:\$\{PORT:-3000\}:3000$/)]);
});

test("every variable of .env arrives, but those that a container has its own of", () => {
  expect(services.latchkey?.env_file).toEqual([{ path: ".env", required: false }]);
  const own = Object.keys(services.latchkey?.environment ?? {});
  expect(own.filter((name) => !(name in environment.shape))).toEqual([]);
  expect(own.sort().join(" ")).toBe("AUTH_SECRET DATABASE_URL DATA_DIR HOST NEXTAUTH_URL NODE_ENV PORT");
});

test("no password has a default", () => {
  for (const [, name, rest] of text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)([^}]*)\}/g))
    expect([name, rest]).toEqual([name, expect.stringMatching(/^:\?make one with openssl rand/)]);
});

const machines = Object.keys(MACHINES) as Machine[];
const direct = async (_: Machine, port: number) => port;

test.each(readdirSync("docs/high-availability"))(
  "%s, placed on one machine, has neither an address of the sample's machines nor a password to change",
  async (file) => {
    const files = readSamples("/tmp/cluster", direct);
    for (const machine of machines) {
      // The first line says where the file belongs.
      const placed = (await files.text(file, machine)).replace(/^[#;].*$/gm, "");
      expect(placed).not.toMatch(/10\.0\.0\.|change-this|\/var\/lib|\/etc\//);
    }
  },
);

test("every machine finds the others where they listen, and has ports of its own", async () => {
  const files = readSamples("/tmp/cluster", direct);
  const [one, two] = await Promise.all([files.variables("etcd.env", "db1"), files.variables("etcd.env", "db2")]);
  expect(one.ETCD_INITIAL_CLUSTER).toBe(two.ETCD_INITIAL_CLUSTER);
  expect(one.ETCD_INITIAL_CLUSTER).toContain(`db2=${two.ETCD_LISTEN_PEER_URLS}`);
  expect(one.ETCD_LISTEN_PEER_URLS).not.toBe(two.ETCD_LISTEN_PEER_URLS);
  const patroni = parse(await files.text("patroni.yml", "db1"));
  expect(patroni.etcd3.hosts).toContain(new URL(String(two.ETCD_LISTEN_CLIENT_URLS)).host);
  const balanced = await files.text("haproxy-database.cfg", "app1");
  const { PATRONI_POSTGRESQL_LISTEN, PATRONI_RESTAPI_LISTEN } = await files.variables("patroni.env", "db3");
  const port = PATRONI_RESTAPI_LISTEN?.split(":")[1];
  expect(balanced).toContain(`  server db3 ${PATRONI_POSTGRESQL_LISTEN} check port ${port}\n`);
});
