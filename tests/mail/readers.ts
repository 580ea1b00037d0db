// Run in its own process, with <count>: makes so many users with a verified address, and as many without one, and
// prints both.

import { closeDatabase, db } from "@/lib/platform/db/client";
import { makeUsers } from "@/tests/support/user";

import { newAddress } from "./people";

const count = Number(process.argv[2]);
const [users, without] = [await makeUsers(count), await makeUsers(count)];
const readers = users.map(({ id, username }) => ({ id, username, address: newAddress() }));
await db.emailAddress.createMany({
  data: readers.map(({ id, address }) => ({ userId: id, address, verifiedAt: new Date() })),
});
process.stdout.write(JSON.stringify({ readers, without: without.map(({ username }) => username) }));
await closeDatabase();
