import { expect, test, vi } from "vitest";
import { newId } from "@/lib/platform/ids";

const FIRST = "https://id.example.org/";
const SECOND = "https://id.example.net";
const UNSET = { OIDC_ISSUER: "", OIDC_ID: "", OIDC_SECRET: "", GITHUB_ID: "", GITHUB_SECRET: "" };

/** What signs people in, in a process that is configured like this. */
async function processWith(set: Record<string, string>) {
  Object.assign(process.env, UNSET, set);
  vi.resetModules();
  return {
    ...(await import("@/lib/accounts/identities")),
    ...(await import("@/lib/accounts/identities")),
    ...(await import("@/lib/accounts/providers")),
    ...(await import("@/lib/accounts/create")),
    ...(await import("@/lib/platform/db/client")),
    ...(await import("@/tests/support/user")),
  };
}
const issuedBy = (issuer: string) => processWith({ OIDC_ISSUER: issuer, OIDC_ID: "latchkey", OIDC_SECRET: "a secret" });

/** The id of whom an account at the issuer signs in there. */
const userAt = async (program: Awaited<ReturnType<typeof processWith>>, accountId: string) =>
  (await program.userOfIdentity({ provider: program.storedProvider("oidc"), accountId }))?.id;

test("another issuer signs nobody into what the first one vouched for, though it numbers its users alike", async () => {
  const accountId = newId();
  const first = await issuedBy(FIRST);
  const owner = await first.makeUser();
  await first.connectIdentity(owner.id, { provider: first.storedProvider("oidc"), accountId });
  const second = await issuedBy(SECOND);
  const identity = { provider: second.storedProvider("oidc"), accountId };
  expect(await userAt(second, accountId)).toBeUndefined();
  const newcomer = await second.createUser({ username: second.newUsername(), identity });
  expect(await userAt(second, accountId)).toBe(newcomer.id);
  // With and without a slash at its end it is the same issuer.
  const again = await issuedBy(FIRST.slice(0, -1));
  expect(await userAt(again, accountId)).toBe(owner.id);
});

test("what a former version stored belongs to the issuer of the upgrade, and never to a later one", async () => {
  const [early, late] = [newId(), newId()];
  const first = await issuedBy(FIRST);
  const owner = await first.makeUser();
  const asBefore = (accountId: string) => first.connectIdentity(owner.id, { provider: "oidc", accountId });
  await asBefore(early);
  expect(await first.assignIdentities()).toBe(1);
  expect(await first.assignIdentities()).toBe(0);
  expect(await userAt(first, early)).toBe(owner.id);

  const second = await issuedBy(SECOND);
  await asBefore(late);
  expect(await second.assignIdentities()).toBe(1);
  for (const accountId of [early, late]) expect(await userAt(second, accountId)).toBeUndefined();
  const again = await issuedBy(FIRST);
  expect(await userAt(again, late)).toBe(owner.id);
  expect(await again.db.auditEvent.count({ where: { action: "identities.claim" } })).toBe(1);
});

test("an issuer that is no longer configured is no way in, so the last one that is cannot be taken away", async () => {
  const first = await issuedBy(FIRST);
  const { id } = await first.makeUser();
  await first.connectIdentity(id, { provider: first.storedProvider("oidc"), accountId: newId() });
  const later = await processWith({ GITHUB_ID: "latchkey", GITHUB_SECRET: "a secret" });
  await later.connectIdentity(id, { provider: "github", accountId: newId() });
  await expect(later.disconnectIdentity(id, "github")).rejects.toMatchObject({ code: "last_way_in" });
});

test("every provider is asked with PKCE and state", async () => {
  const names = ["GITHUB", "GOOGLE", "DISCORD", "OIDC"].flatMap((name) => [`${name}_ID`, `${name}_SECRET`]);
  const set = Object.fromEntries(names.map((name) => [name, "set"]));
  const { outsideProviders } = await processWith({ ...set, OIDC_ISSUER: SECOND });
  const providers = outsideProviders() as { id: string; checks?: string[]; options?: { checks?: string[] } }[];
  expect(providers.map(({ id }) => id)).toEqual(["github", "google", "discord", "oidc"]);
  // NextAuth lets the options of a provider win over its defaults.
  for (const { checks, options } of providers)
    expect(options?.checks ?? checks).toEqual(expect.arrayContaining(["pkce", "state"]));
});
