import { beforeAll, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { recordSeen, writeSeen } from "@/lib/auth/seen";
import { env } from "@/lib/env";
import { importDocument } from "@/lib/files/import";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { chunks, smallDocument } from "@/tests/support/documents";
import { statementsOf } from "@/tests/support/statements";
import { makeUser, type TestUser } from "@/tests/support/user";

let creator: TestUser;
let holder: TestUser;
let key: string;
beforeAll(async () => {
  [creator, holder] = await Promise.all([makeUser(), makeUser()]);
  const caller = { ...creator, role: "user" };
  key = (await createKey(caller, { data: "secret", price: "1" })).id;
  await addHolder(caller, await findKey(caller, key), holder.username);
  await importDocument(creator, chunks(JSON.stringify(smallDocument(creator.username))));
  // Written a second after the first request of an hour, beside the requests.
  for (const { id } of [creator, holder]) recordSeen(id);
  await writeSeen();
});

/** Prisma's client names the schema before each table; SQL of ours does not. */
const isPrismas = (text: string) => /["`](?:main|public)["`]\./.test(text);
const isTransaction = (text: string) => /^(?:BEGIN|COMMIT|SAVEPOINT|RELEASE|ROLLBACK)/.test(text);

/** Statements by door, without those that begin and end transactions. */
async function doorsOf(pattern: string, address: string): Promise<{ sql: number; db: number }> {
  let status = 0;
  const sent = await statementsOf(async () => {
    const response = await routes[pattern]?.GET(new Request(`http://localhost${address}`));
    await response?.text();
    status = response?.status ?? 0;
  });
  expect([address.split("?")[0], status]).toEqual([
    address.split("?")[0],
    ["/link/user", "/link/status"].includes(pattern) ? 404 : 200,
  ]);
  const asked = sent.filter((text) => !isTransaction(text));
  const db = asked.filter(isPrismas).length;
  return { sql: asked.length - db, db };
}

test("what every request does goes through the sql door, and everything else through db", async () => {
  const auth = `auth=${creator.token}`;
  // The first new code counts the live ones, through db; the next ones within ten seconds do not.
  await doorsOf("/link/code", "/link/code");
  const doors = {
    "/keys/get/{id}": await doorsOf("/keys/get/{id}", `/keys/get/${key}?auth=${holder.token}`),
    "/keys/mine": await doorsOf("/keys/mine", `/keys/mine?${auth}`),
    "/keys/check/{username}": await doorsOf("/keys/check/{username}", `/keys/check/${holder.username}?key=${key}`),
    "/keys/create": await doorsOf("/keys/create", `/keys/create?${auth}&data=d&price=1`),
    "/keys/update/{id}": await doorsOf("/keys/update/{id}", `/keys/update/${key}?${auth}&key=name&data=n`),
    "/read-files": await doorsOf("/read-files", `/read-files?${auth}`),
    "/link/code": await doorsOf("/link/code", "/link/code"),
    "/link/user": await doorsOf("/link/user", "/link/user?code=KMTRWB"),
    "/link/status": await doorsOf("/link/status", "/link/status?code=KMTRWB"),
    "/me": await doorsOf("/me", `/me?${auth}`),
    "/keys/revoke/{id}": await doorsOf("/keys/revoke/{id}", `/keys/revoke/${key}?${auth}&user=${holder.username}`),
    "/keys/admin_add/{id}": await doorsOf(
      "/keys/admin_add/{id}",
      `/keys/admin_add/${key}?${auth}&key=${key}&username=${holder.username}`,
    ),
    "/keys/delete/{id}": await doorsOf("/keys/delete/{id}", `/keys/delete/${key}?${auth}`),
  };
  expect(doors).toEqual({
    "/keys/get/{id}": { sql: 1, db: 0 },
    "/keys/mine": { sql: 3, db: 0 },
    "/keys/check/{username}": { sql: 1, db: 0 },
    "/keys/create": { sql: 6, db: 0 },
    // The batch of the change and its event is one statement on PostgreSQL.
    "/keys/update/{id}": { sql: env.DATABASE_URL ? 3 : 4, db: 0 },
    "/read-files": { sql: 4, db: 0 },
    "/link/code": { sql: env.DATABASE_URL ? 1 : 3, db: 0 },
    "/link/user": { sql: 1, db: 0 },
    "/link/status": { sql: 1, db: 0 },
    "/me": { sql: 2, db: 1 },
    "/keys/revoke/{id}": { sql: 1, db: 4 },
    "/keys/admin_add/{id}": { sql: 1, db: 10 },
    "/keys/delete/{id}": { sql: 1, db: 2 },
  });
});
