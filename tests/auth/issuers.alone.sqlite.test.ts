import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { outsideProviders } from "@/lib/accounts/ways-in/providers";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { runAdmin } from "@/tests/support/admin";
import { type Issuer, startIssuer } from "@/tests/support/issuer";

let issuer: Issuer;
let refusal = "";
const proxy = createServer().on("connect", (_, socket) => socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`));
beforeAll(async () => {
  issuer = await startIssuer("latchkey");
  await once(proxy.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  issuer.stop();
  proxy.close();
});

/** What the doctor says of signing in there. */
async function doctor(set: Record<string, string> = {}): Promise<{ problem: string; advice: string }[]> {
  const { stdout } = await runAdmin(["doctor"], {
    ...process.env,
    ...{ OIDC_ISSUER: issuer.url, OIDC_ID: "latchkey", OIDC_SECRET: "a secret" },
    ...set,
  });
  return JSON.parse(stdout).problems.filter(({ check }: { check: string }) => check === "sign-in");
}

test("nothing is wrong with an issuer that is well", async () => {
  expect(await doctor()).toEqual([]);
});

test.each([
  [{ id_token_signing_alg_values_supported: ["HS256"] }, "signs in no way that can be verified with its public keys"],
  [{ token_endpoint_auth_methods_supported: ["private_key_jwt"] }, "takes no client secret: private_key_jwt"],
  [{ require_pushed_authorization_requests: true }, "takes only pushed authorization requests"],
])("names why nobody could sign in with %j", async (metadata, problem) => {
  issuer.metadata = metadata;
  expect(await doctor()).toEqual([expect.objectContaining({ problem: expect.stringContaining(problem) })]);
  issuer.metadata = {};
});

test.each([
  ["407 Proxy Authentication Required", "user and password"],
  ["403 Forbidden", "NO_PROXY"],
])("does not take a proxy's %s for the issuer's", async (status, advice) => {
  refusal = status;
  const { port } = proxy.address() as AddressInfo;
  expect(await doctor({ HTTP_PROXY: `127.0.0.1:${port}` })).toEqual([
    expect.objectContaining({
      problem: expect.stringContaining(
        `The proxy in HTTP_PROXY does not open the way to the issuer: ${status.slice(0, 3)}`,
      ),
      advice: expect.stringContaining(advice),
    }),
  ]);
});

/** The client with which NextAuth asks providers. */
const { Issuer: Provider } = createRequire(createRequire(import.meta.url).resolve("next-auth"))("openid-client");

const server = createServer((_, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ access_token: "a token", token_type: "Bearer" }));
});
let client: { oauthCallback(url: string, params: object, checks: object): Promise<{ access_token?: string }> };
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  // As NextAuth does for Discord, which it gives no name.
  const { port } = server.address() as AddressInfo;
  const discord = new Provider({ issuer: undefined, token_endpoint: `http://127.0.0.1:${port}/` });
  client = new discord.Client({ client_id: "latchkey", client_secret: "a secret" });
});
afterAll(() => void server.close());

test("a provider that begins to name itself in its responses (RFC 9207) goes on signing people in", async () => {
  Object.assign(env, { DISCORD_ID: "latchkey", DISCORD_SECRET: "a secret" });
  const { options } = outsideProviders().find(({ id }) => id === "discord") as unknown as {
    options: { token: { request(context: object): Promise<{ tokens: { access_token?: string } }> } };
  };
  const callbackUrl = "https://keys.example/api/auth/callback/discord";
  const params = { code: "a code", state: "a state", iss: "https://discord.com" };
  const checks = { state: "a state" };
  await expect(client.oauthCallback(callbackUrl, params, checks)).rejects.toThrow("issuer must be configured");
  const { tokens } = await options.token.request({ client, provider: { callbackUrl }, params, checks });
  expect(tokens.access_token).toBe("a token");
  await expect(
    options.token.request({ client, provider: { callbackUrl }, params, checks: { state: "another" } }),
  ).rejects.toThrow("state mismatch");
});

const FIRST = "https://id.example.org/";
const SECOND = "https://id.example.net";
const UNSET = { OIDC_ISSUER: "", OIDC_ID: "", OIDC_SECRET: "", GITHUB_ID: "", GITHUB_SECRET: "" };

/** What signs people in, in a process that is configured like this. */
async function processWith(set: Record<string, string>) {
  Object.assign(process.env, UNSET, set);
  vi.resetModules();
  return {
    ...(await import("@/lib/accounts/ways-in/connect")),
    ...(await import("@/lib/accounts/ways-in/identities")),
    ...(await import("@/lib/accounts/ways-in/providers")),
    ...(await import("@/lib/accounts/ways-in/create")),
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
