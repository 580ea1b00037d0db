import { createUser, type NewUser } from "@/lib/accounts/ways-in/create";
import { findKey } from "@/lib/keys/access";
import { acceptClaim } from "@/lib/keys/claims/accept";
import { createClaimLinks } from "@/lib/keys/claims/create";
import { createKey } from "@/lib/keys/create";
import { addHolder } from "@/lib/keys/grant";
import { offerKey } from "@/lib/keys/offers";
import type { NewKey } from "@/lib/keys/schema";
import { updateKey } from "@/lib/keys/update";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { drawCode } from "@/lib/link/code";
import { findRequest } from "@/lib/link/enter";
import { countUsers } from "@/lib/operator/users/summaries";
import { OPERATOR } from "@/lib/platform/audit";
import { closeDatabase } from "@/lib/platform/db/client";
import type { Network } from "@/lib/platform/network/network";
import { DAY_MS, later } from "@/lib/platform/time";
import { createDemoFiles } from "./demo-files";

/** Somebody who can sign in to the demo. */
export interface DemoUser extends NewUser {
  role: "user" | "admin";
  password: string;
}

const HERE: Network = { id: "loopback", kind: "local" };
/** So many days from now: ends have whole seconds. */
const inDays = (days: number) => later(new Date(Math.ceil(Date.now() / 1_000) * 1_000), days * DAY_MS);

/**
 * Fills the new service at `origin`, whose database this process shares: what three users might have. Programs are
 * linked through its API.
 */
export async function createWorld(origin: string): Promise<[DemoUser, DemoUser, DemoUser]> {
  const carol = await newUser("carol", "admin", 75);
  const alice = await newUser("alice", "user", 60);
  const bob = await newUser("bob", "user", 25);
  const users: [DemoUser, DemoUser, DemoUser] = [alice, bob, carol];
  await createKeys(users, origin);
  await createDemoFiles(alice, bob);
  const token = await linkProgram(alice, origin, "Tidepool backup");
  for (const path of ["/me", "/keys/mine", "/read-files"])
    await fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}` } }).then((read) => read.text());
  await denyRequest({ id: bob.id, network: HERE }, (await newRequest(bob, origin, "Free gems")).id);
  await fetch(`${origin}/link/code?name=Studio+tablet`);
  await countUsers();
  await closeDatabase();
  return users;
}

/** A user who signed up so many days ago. */
async function newUser(username: string, role: DemoUser["role"], days: number): Promise<DemoUser> {
  const password = `${drawCode()}-${drawCode()}`.toLowerCase();
  return { ...(await createUser({ username, password, role, createdBy: OPERATOR }, inDays(-days))), role, password };
}

/** Requests a code as a program that wants to read, and enters it as this user does on the page. */
async function newRequest({ id }: DemoUser, origin: string, name: string) {
  const response = await fetch(`${origin}/link/code?${new URLSearchParams({ name, access: "read" })}`);
  const { code } = (await response.json()) as { code: string };
  const secret = response.headers.get("Link-Secret") ?? "";
  return { code, secret, id: await findRequest({ id, network: HERE }, code) };
}

/** Links a program, and returns its token. */
async function linkProgram(user: DemoUser, origin: string, name: string): Promise<string> {
  const { code, secret, id } = await newRequest(user, origin, name);
  await approveRequest({ id: user.id, network: HERE }, id);
  const response = await fetch(`${origin}/link/user?code=${code}`, { headers: { "Link-Secret": secret } });
  const { token } = (await response.json()) as { token: string };
  return token;
}

const licence = (product: string) => `${product}-${drawCode()}-${drawCode()}`;

async function createKeys([alice, bob, carol]: readonly [DemoUser, DemoUser, DemoUser], origin: string) {
  const create = async (creator: DemoUser, key: NewKey) => findKey(creator, (await createKey(creator, key)).id);

  const door = await create(alice, { name: "Studio door", price: "-1", data: "Press 2 and 7 together, then 5." });
  await addHolder(alice, door, { username: "carol" });
  const sounds = await create(alice, { name: "Tidepool soundtrack", price: "7.5", data: licence("SOUND") });
  await addHolder(alice, sounds, { username: "bob", end: inDays(6) });
  const beta = await create(alice, { name: "Tidepool 2, closed beta", price: "-1", data: licence("BETA") });
  const { links } = await createClaimLinks(alice, beta, {
    ...{ links: 20, most: 1, days: 14, openDays: 30, origin },
    note: "Winners of the drawing contest",
  });
  for (const [n, user] of [bob, carol].entries()) await acceptClaim(user, new URL(links[n] ?? "").hash.slice(1), HERE);
  const game = await create(alice, { name: "Tidepool, full game", price: "20", data: licence("TIDE") });
  await addHolder(alice, game, { username: "bob" });
  await addHolder(alice, game, { username: "carol", end: inDays(90) });
  await updateKey(alice, game, { field: "price", value: "24" });

  const gulls = await create(bob, { name: "Gulls and harbour bells", price: "3", data: licence("GULL") });
  await offerKey(bob, gulls, "alice");
  const recordings = await create(bob, { name: "Field recordings, lossless", price: "12", data: licence("FIELD") });
  await addHolder(bob, recordings, { username: "alice", end: inDays(45) });
  const printer = await create(carol, {
    name: "Printer on the second floor",
    price: "-1",
    data: "The queue is called otter. No password.",
  });
  for (const username of ["alice", "bob"]) await addHolder(carol, printer, { username });
}
