import { expect, test } from "vitest";
import { parseEnvironment } from "@/lib/platform/env";
import { addressesIn } from "@/lib/platform/postgres-address";

/** Where each leads, as `host:port`. */
const hostsIn = (address: string) =>
  addressesIn(address).map((one) => {
    const { hostname, port, searchParams } = new URL(one);
    return `${searchParams.get("host") || decodeURIComponent(hostname)}:${searchParams.get("port") || port}`;
  });

const SEVERAL: [string, string[]][] = [
  ["postgresql://u:p@db1,db2:5433/keys", ["db1:", "db2:5433"]],
  ["postgresql://u:p@/keys?host=db1,db2&port=5432,5433", ["db1:5432", "db2:5433"]],
  ["postgresql://u:p@/keys?host=db1,db2&port=5433", ["db1:5433", "db2:5433"]],
  ["postgresql:///keys?host=db1,db2&sslmode=disable", ["db1:", "db2:"]],
  ["postgresql://u@db1,db2/keys?port=5432,5433", ["db1:5432", "db2:5433"]],
  ["postgresql://u@elsewhere/keys?host=db1,db2", ["db1:", "db2:"]],
  ["postgresql://u@/keys?host=/run/postgresql,/tmp", ["/run/postgresql:", "/tmp:"]],
  ["postgresql://u@/keys?host=/run/postgresql", ["/run/postgresql:"]],
  ["postgresql://u@%2Frun%2Fpostgresql/keys", ["/run/postgresql:"]],
];
test.for(SEVERAL)("%s leads where libpq goes", ([address, hosts]) => {
  const { DATABASE_URL } = parseEnvironment({ DATABASE_URL: address });
  expect(hostsIn(String(DATABASE_URL))).toEqual(hosts);
  for (const one of addressesIn(String(DATABASE_URL))) expect(new URL(one).pathname).toBe("/keys");
});

const WRONG: [string, RegExp][] = [
  ["postgresql://u@db1,%zz/db", /percent-encoded/],
  ["postgresql:///db?host=db1,db2&port=1,2,3", /one port, or one for each host/],
  ["postgresql://u@db1,db2/db?port=5432,many", /one port, or one for each host/],
  ["postgresql://u@h/db?port=65536", /one port, or one for each host/],
  ...["any", "read-only", "standby", "prefer-standby", "Primary", ""].map((value): [string, RegExp] => [
    `postgresql://u@db1,db2/db?target_session_attrs=${value}`,
    new RegExp(`target_session_attrs=${value}[:,] `),
  ]),
];
test.for(WRONG)("%s is refused in one sentence", ([DATABASE_URL, why]) => {
  const refused = () => parseEnvironment({ DATABASE_URL });
  expect(refused).toThrow(/^The environment variable DATABASE_URL is not valid: must [^\n]+\.$/);
  expect(refused).toThrow(why);
});

test.for(["read-write", "primary"])("target_session_attrs=%s is what is done anyway", (value) => {
  const DATABASE_URL = `postgresql://u@db1,db2/db?target_session_attrs=${value}`;
  expect(parseEnvironment({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
});
