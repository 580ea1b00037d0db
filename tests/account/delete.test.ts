import { describe, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { findCaller } from "@/lib/accounts/identity/token";
import { type Caller, findUser } from "@/lib/accounts/identity/user";
import { sessionUser } from "@/lib/accounts/session/sessions";
import { connectIdentity } from "@/lib/accounts/ways-in/connect";
import { createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { userOfIdentity } from "@/lib/accounts/ways-in/identities";
import type { Declaration } from "@/lib/api/declaration";
import { endpoint } from "@/lib/api/endpoint";
import { importDocument } from "@/lib/files/import";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/data";
import { addHolder } from "@/lib/keys/grant";
import { trailOfDeleted } from "@/lib/keys/history";
import { approveRequest } from "@/lib/link/approve";
import { auditTrail } from "@/lib/platform/audit";
import { hashToken } from "@/lib/platform/crypto/tokens";
import { forgetUserKeys } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import type { Network } from "@/lib/platform/network/network";
import { deleteAccount, keysLostBy, lossesOf, sweepDeletions } from "@/lib/user-data/delete";
import { removeToken } from "@/lib/user-data/revoke-token";
import { holdsKey, makeKeys } from "@/tests/keys/keys";
import { collect, newRequest } from "@/tests/link/flow";
import { chunks, smallDocument } from "@/tests/support/documents";
import { codeOf } from "@/tests/support/statements";
import { makeUser, newUsername, signedIn, type TestUser } from "@/tests/support/user";

const PASSWORD = "correct horse battery";
const NETWORK: Network = { kind: "remote", id: "198.51.100.7" };
const asViewer = (user: TestUser) => ({ ...user, role: "user" });
async function makeOwner(holder: TestUser, password: string | null = null) {
  const user = await createUser({ username: newUsername(), password });
  const { id: key } = await createKey(asViewer(user), { data: "secret", price: "1", name: "Shared" });
  await addHolder(asViewer(user), await findKey(asViewer(user), key), { username: holder.username });
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
  const identity = { provider: "github", accountId: newId() };
  await connectIdentity(user.id, identity);
  return { ...(await signedIn(user)), key, identity };
}

describe("deleting an account", () => {
  test("ends everything that it could do, and leaves nothing of what it had", async () => {
    const holder = await makeUser();
    const owner = await makeOwner(holder);
    const { code, id: linkId } = await newRequest(NETWORK, new Date());
    await approveRequest({ id: owner.id, network: NETWORK }, linkId);
    await deleteAccount(owner, { username: ` ${owner.username.toUpperCase()} `, password: "" }, { network: NETWORK });

    expect(await codeOf(findCaller(hashToken(owner.token)))).toBe("invalid_token");
    expect(await sessionUser(owner.sessionId)).toBeNull();
    expect(await userOfIdentity(owner.identity)).toBeNull();
    expect(await collect(code, NETWORK)).toBeNull();
    expect(await codeOf(findUser(owner.username))).toBe("user_not_found");
    expect(await db.key.count({ where: { creatorId: owner.id } })).toBe(0);
    expect(await db.holder.count({ where: { keyId: owner.key } })).toBe(0);
    const where = { userId: owner.id };
    for (const rows of [db.filePiece.count({ where }), db.fileVersion.count({ where })]) expect(await rows).toBe(0);
  });

  test("tells the holders of its keys, who hold them no longer", async () => {
    const [holder, stranger] = [await makeUser(), await makeUser()];
    const owner = await makeOwner(holder, PASSWORD);
    expect(await lossesOf(owner.id)).toMatchObject({ keys: 1, holders: 1, files: { entries: 4 } });
    const now = new Date();
    await deleteAccount(owner, { username: owner.username, password: PASSWORD }, { network: NETWORK, now });
    expect(await holdsKey(holder.username, owner.key)).toBe(false);
    expect(await codeOf(findKey(asViewer(holder), owner.key))).toBe("key_not_found");
    expect(await keysLostBy(holder.id)).toEqual([{ creator: owner.username, keys: 1, at: now }]);
    expect(await keysLostBy(holder.id, new Date(now.getTime() + 31 * 24 * 3600_000))).toEqual([]);
    expect(await keysLostBy(stranger.id)).toEqual([]);
    expect((await trailOfDeleted({ ...holder, role: "admin" }, owner.key, { limit: 1 }))[0]).toMatchObject({
      action: "key.delete",
      detail: { name: "Shared" },
    });
    expect(await auditTrail({ subjectId: owner.id }, 10)).toMatchObject([
      { action: "account.delete" },
      { action: "user.confirm" },
      { action: "provider.connect" },
      { action: "user.create" },
    ]);
  });

  test("gives its name to nobody else, and takes nothing from keys that it only held", async () => {
    const other = await makeUser();
    const owner = await makeOwner(other);
    const { id } = await createKey(asViewer(other), { data: "theirs", price: "1" });
    await addHolder(asViewer(other), await findKey(asViewer(other), id), { username: owner.username });
    await deleteAccount(owner, { username: owner.username, password: "" }, { network: NETWORK });
    expect(await codeOf(createUser({ username: owner.username.toUpperCase() }))).toBe("username_taken");
    expect(await revealData(asViewer(other), id)).toBe("theirs");
    expect(await holdsKey(owner.username, id)).toBe(false);
  });

  test.each([
    ["another name", (username: string) => `${username}x`, PASSWORD, "invalid_parameter"],
    ["a wrong password", (username: string) => username, "wrong password", "wrong_password"],
  ])("is refused for %s, and changes nothing", async (_, typed, password, code) => {
    const owner = await makeOwner(await makeUser(), PASSWORD);
    expect(
      await codeOf(deleteAccount(owner, { username: typed(owner.username), password }, { network: NETWORK })),
    ).toBe(code);
    expect(await findCaller(hashToken(owner.token))).toMatchObject({ id: owner.id });
    expect(await lossesOf(owner.id)).toMatchObject({ keys: 1 });
  });

  test("needs a recent proof where there is no password, and deletes thousands of keys", async () => {
    const user = await makeUser();
    await makeKeys(user, user, { count: 1_000 });
    const typed = { username: user.username, password: "" };
    const elsewhere = { ...user, sessionId: newId() };
    expect(await codeOf(deleteAccount(elsewhere, typed, { network: NETWORK }))).toBe("proof_needed");
    await deleteAccount(await signedIn(user), typed, { network: NETWORK });
    expect(await db.key.count({ where: { creatorId: user.id } })).toBe(0);
    expect(await db.auditEvent.count({ where: { actorId: user.id, action: "key.delete" } })).toBe(1_000);
  });

  test("by two concurrent requests deletes once, and notifies once", async () => {
    const holder = await makeUser();
    const owner = await makeOwner(holder);
    const typed = { username: owner.username, password: "" };
    await Promise.allSettled([
      deleteAccount(owner, typed, { network: NETWORK }),
      deleteAccount(owner, typed, { network: NETWORK }),
    ]);
    expect(await keysLostBy(holder.id)).toHaveLength(1);
    expect(await db.auditEvent.count({ where: { subjectId: owner.id, action: "account.delete" } })).toBe(1);
  });

  test("that was broken off is finished by the sweep, and cannot be taken back", async () => {
    const owner = await makeOwner(await makeUser());
    const begun = new Date(Date.now() - 60_000);
    await db.user.update({ where: { id: owner.id }, data: { disabledAt: begun, deletingAt: begun } });
    expect(await codeOf(setDisabled(owner.username, { disabled: false }))).toBe("user_not_found");
    await sweepDeletions();
    expect(await codeOf(findUser(owner.username))).toBe("ok");
    await sweepDeletions(new Date(Date.now() + 10 * 60_000));
    expect(await codeOf(findUser(owner.username))).toBe("user_not_found");
  });
});

/** What a program gets whose user, or whose token, is deleted while its request is running: never a fault of ours. */

const DECLARATIONS = Object.values(routes)
  .map(({ GET }) => GET.declaration as Declaration)
  .filter(({ caller, respond }) => caller === "token" && respond);

type Meanwhile = (caller: Caller) => Promise<unknown>;

/** The response of this route, if that happens between its checks and what it does. */
async function responseWith(declaration: Declaration, token: string, key: string, meanwhile: Meanwhile) {
  const { GET } = endpoint({
    ...declaration,
    async respond(call) {
      await meanwhile(call.caller as Caller);
      return declaration.respond(call);
    },
  });
  const path = declaration.path.replace("{id}", key).replace("{username}", "alice");
  const query = new URLSearchParams({ ...declaration.example.parameters, auth: token });
  if (query.has("key") && path.endsWith(key)) query.set("key", key);
  const response = await GET(new Request(`http://localhost:3000${path}?${query}`));
  return { status: response.status, body: await response.text() };
}

describe.each(DECLARATIONS.map((declaration) => [declaration.path, declaration] as const))("%s", (_, declaration) => {
  test.each<[string, Meanwhile]>([
    // A process may forget at any time what opens the data.
    ["the account is deleted", ({ id }) => db.user.delete({ where: { id } }).then(forgetUserKeys)],
    ["the token is removed", ({ id, accessToken }) => removeToken(id, { id: String(accessToken?.id) })],
  ])("is no fault of the service if meanwhile %s", async (_, meanwhile) => {
    const user = await makeUser();
    const { id } = await createKey({ ...user, role: "user" }, { data: "secret", price: "1" });
    const { token } = await createToken(user.id, { name: "Tool", access: "everything", days: null });
    const { status, body } = await responseWith(declaration, token, id, meanwhile);
    expect([status, status === 401 ? JSON.parse(body).code : ""]).toEqual([
      expect.toSatisfy((code: number) => code < 500),
      status === 401 ? "invalid_token" : "",
    ]);
  });
});
