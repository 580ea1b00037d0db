import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { MACHINES, type Machine, readSamples } from "@/tests/cluster/samples";

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

test("a way of one's own is used by others to reach a machine, and by its Patroni to reach etcd", async () => {
  const ways: [Machine, number][] = [];
  const files = readSamples("/tmp/cluster", async (machine, port) => {
    ways.push([machine, port]);
    return port + 1;
  });
  const patroni = await files.variables("patroni.env", "db1");
  const [, real] = String(patroni.PATRONI_POSTGRESQL_LISTEN).split(":");
  expect(patroni.PATRONI_POSTGRESQL_CONNECT_ADDRESS).toBe(`127.0.0.1:${Number(real) + 1}`);
  await files.text("patroni.yml", "db1");
  expect(ways.map(([machine]) => machine)).toEqual(["db1", "db1", "db1", "db1", "db1"]);
});
