import * as openid from "openid-client";
import { describe, expect, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { mintAccessToken } from "@/lib/platform/crypto/tokens";
import { ask, origin } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectSuccess } from "./answers";
import { age, approve, deny } from "./link";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form).toString(),
  });
const start = async (form: Record<string, string> = {}) =>
  expectSuccess(await post("/oauth/device", { client_id: "my-tool", ...form })).body as Record<string, string>;
const redeem = (deviceCode: string | undefined, headers?: Record<string, string>) =>
  post("/oauth/token", { grant_type: GRANT, client_id: "my-tool", device_code: String(deviceCode) }, headers);

/** Approves as the user's browser would, after so many milliseconds. */
const later = (act: () => Promise<unknown>) => new Promise((resolve) => setTimeout(() => resolve(act()), 50));

test("the metadata names every endpoint, as RFC 8414 has it", async () => {
  const { body } = expectSuccess(await ask("/.well-known/oauth-authorization-server"));
  expect(body).toEqual({
    issuer: origin,
    device_authorization_endpoint: `${origin}/oauth/device`,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    jwks_uri: `${origin}/.well-known/jwks.json`,
    scopes_supported: ["identity", "read", "everything"],
    grant_types_supported: [GRANT],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    service_documentation: `${origin}/docs`,
  });
});

describe("openid-client, which nobody here wrote,", () => {
  const discover = () =>
    openid.discovery(new URL(origin), "my-tool", undefined, openid.None(), {
      algorithm: "oauth2",
      execute: [openid.allowInsecureRequests],
    });

  test("links, and revokes its token", async () => {
    const [config, user] = [await discover(), await makeUser()];
    const device = await openid.initiateDeviceAuthorization(config, { scope: "identity" });
    expect(device.verification_uri_complete).toBe(`${origin}/link?code=${device.user_code}`);
    const [tokens] = await Promise.all([
      openid.pollDeviceAuthorizationGrant(config, device),
      later(() => approve(device.user_code, user)),
    ]);
    expect([tokens.token_type, tokens.scope]).toEqual(["bearer", "identity"]);
    const me = await openid.fetchProtectedResource(config, tokens.access_token, new URL(`${origin}/me`), "GET");
    expect(await me.json()).toEqual({ id: user.id, username: user.username, role: "user" });
    await openid.tokenRevocation(config, tokens.access_token);
    expect(await tokensOf(user.id)).toEqual([]);
  });

  test("learns that it was denied, and that the code has expired", async () => {
    const [config, user] = [await discover(), await makeUser()];
    const denied = await openid.initiateDeviceAuthorization(config, {});
    await deny(denied.user_code, user);
    await expect(openid.pollDeviceAuthorizationGrant(config, denied)).rejects.toMatchObject({ error: "access_denied" });
    const late = await openid.initiateDeviceAuthorization(config, {});
    await age(late.user_code, user, 3_600);
    await expect(openid.pollDeviceAuthorizationGrant(config, late)).rejects.toMatchObject({ error: "expired_token" });
  });
});

/** What a program has when its user has approved. */
async function approved(form: Record<string, string> = {}, choice?: Parameters<typeof approve>[2]) {
  const [device, user] = [await start(form), await makeUser()];
  await approve(String(device.user_code), user, choice);
  return { code: device.device_code, letters: String(device.user_code), user };
}

describe("a program gets a token of its own", () => {
  const link = async (form: Record<string, string>) => {
    const { code, user } = await approved(form);
    const { body, headers } = expectSuccess(await redeem(code));
    expect(headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    const [token] = await tokensOf(user.id);
    return { body, token };
  };

  test.each([
    ["read", {}],
    ["read", { scope: "" }],
    ["identity", { scope: "openid profile" }],
    ["read", { scope: "identity read" }],
    ["everything", { scope: "read everything offline_access" }],
  ])("for %s with %j", async (access, form) => {
    const { body, token } = await link(form);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^lkt_/),
      token_type: "Bearer",
      scope: access,
    });
    expect(token).toMatchObject({ name: "my-tool", access });
  });

  test("named by its client_name, of which 40 characters count", async () => {
    expect((await link({ client_name: "x".repeat(50) })).token?.name).toBe("x".repeat(40));
  });

  test("and learns when that ends", async () => {
    const { code } = await approved({}, { access: "identity", days: 1 });
    const { body } = expectSuccess(await redeem(code));
    expect(body?.scope).toBe("identity");
    expect(Math.abs(Number(body?.expires_in) - 86_400)).toBeLessThan(60);
  });
});

describe("a device code", () => {
  test("is waited for, not too often, and redeemed once, from any network; a lost response is repeated", async () => {
    const [device, user] = [await start(), await makeUser()];
    const errors: unknown[] = [];
    for (let count = 0; count < 8; count++) errors.push((await redeem(device.device_code)).body?.error);
    expect([errors[0], errors.at(-1)]).toEqual(["authorization_pending", "slow_down"]);
    await approve(String(device.user_code), user);
    const first = expectSuccess(await redeem(device.device_code)).body;
    expect(expectSuccess(await redeem(device.device_code)).body).toEqual(first);
    await age(String(device.user_code), user, 60);
    expect((await redeem(device.device_code)).body?.error).toBe("invalid_grant");
  });

  test("is the only thing that collects: not the letters, not in the program's own network", async () => {
    const { code, letters } = await approved();
    expect((await ask("/link/user", { query: { code: letters } })).body).toEqual({ linked: false, token: "" });
    expectSuccess(await redeem(code));
  });

  test("is not the secret of /link/code, whose token may be the account's", async () => {
    const [asked, user] = [expectSuccess(await ask("/link/code")), await makeUser()];
    await approve(String(asked.body?.code), user);
    const { status, body } = await redeem(`${asked.body?.code}${asked.headers["link-secret"]}`);
    expect([status, body?.error]).toEqual([400, "invalid_grant"]);
  });

  test("is redeemed without a client_id, too, as python3-oauthlib does", async () => {
    const form = { grant_type: GRANT, device_code: String((await approved()).code), scope: "read" };
    expectSuccess(await post("/oauth/token", form));
  });

  test("waits with Prefer: wait, and comes as soon as the user decides", async () => {
    const [device, user] = [await start(), await makeUser()];
    const answer = redeem(device.device_code, { Prefer: "wait=25" });
    await approve(String(device.user_code), user);
    expect((await answer).headers["preference-applied"]).toBe("wait=25");
    expect((await answer).body?.token_type).toBe("Bearer");
  });

  test("of a web page waits for its user, too, and any page may redeem its own", async () => {
    const page = { Origin: "https://game.example", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site" };
    const asked = expectSuccess(await post("/oauth/device", { client_id: "game" }, page));
    expect(asked.headers["access-control-allow-origin"]).toBe("*");
    const user = await makeUser();
    await approve(String(asked.body?.user_code), user);
    expectSuccess(await redeem(String(asked.body?.device_code), page));
    expect(await tokensOf(user.id)).toMatchObject([{ name: "game.example" }]);
  });
});

describe("an error", () => {
  const refusal = async (answer: ReturnType<typeof ask>) => {
    const { status, body, headers } = await answer;
    expect(Object.keys(body ?? {})).toEqual(["error", "error_description"]);
    expect(body?.error_description).toMatch(/^[ !#-[\]-~]+$/);
    expect(headers).toMatchObject({ "cache-control": "no-store", "access-control-allow-origin": "*" });
    return [status, body?.error];
  };
  const raw = (body: string, type = "application/x-www-form-urlencoded", path = "/oauth/token") =>
    ask(path, { method: "POST", headers: { "Content-Type": type }, body });

  test.each([
    ["no grant_type", "client_id=a", "invalid_request"],
    ["another grant", "grant_type=password&client_id=a", "unsupported_grant_type"],
    ["no device code", `grant_type=${GRANT}&client_id=a`, "invalid_request"],
    ["a parameter that was sent twice", `grant_type=${GRANT}&grant_type=${GRANT}&client_id=a`, "invalid_request"],
    ["an unknown code", `grant_type=${GRANT}&client_id=a&device_code=ABCDEF${"x".repeat(43)}`, "invalid_grant"],
    ["what is no code", `grant_type=${GRANT}&client_id=a&device_code=${"x".repeat(5_000)}`, "invalid_grant"],
    ["too many parameters", "a=1&".repeat(51), "invalid_request"],
    ["broken encoding", "grant_type=%zz", "invalid_request"],
    ["more than 8 KB", `grant_type=${GRANT}&a=${"x".repeat(8_192)}`, "invalid_request"],
  ])("of a token request with %s is the RFC's", async (_, body, error) => {
    expect(await refusal(raw(body))).toEqual([400, error]);
  });

  test("of another media type, or none, is the RFC's", async () => {
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x", "x"])
      expect(await refusal(raw(`grant_type=${GRANT}`, type))).toEqual([400, "invalid_request"]);
  });

  test.each([
    [{}],
    [{ client_id: "" }],
    [{ client_id: "x".repeat(256) }],
    [{ client_id: "a\u00e9" }],
    [{ client_id: "a", scope: "x".repeat(1_001) }],
    [{ client_id: "a", client_name: "a\nb" }],
  ])("of a device request with %j is the RFC's", async (form: Record<string, string>) => {
    expect(await refusal(post("/oauth/device", form))).toEqual([400, "invalid_request"]);
  });

  test("of any other method names POST", async () => {
    for (const path of ["/oauth/device", "/oauth/token", "/oauth/revoke"])
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await ask(path, { method });
        expect([answer.status, answer.headers.allow]).toEqual([405, "POST, OPTIONS"]);
      }
  });

  test("meets a form that a page sends for its visitor", async () => {
    for (const mode of ["navigate", "no-cors"])
      expect((await post("/oauth/device", { client_id: "a" }, { "Sec-Fetch-Mode": mode })).status).toBe(403);
  });
});

describe("a revocation", () => {
  const revoke = (token: string) => post("/oauth/revoke", { token });
  const works = async (token: string) => (await ask("/me", { query: { auth: token } })).status === 200;

  test("ends the token that asks, and says the same of one that is unknown", async () => {
    const user: TestUser = await makeUser();
    const { token } = await createToken(user.id, { name: "Tool", access: "read", days: null });
    const other = await createToken(user.id, { name: "Other", access: "read", days: null });
    expect(await works(token)).toBe(true);
    for (const one of [token, token, mintAccessToken().token, "nonsense"]) {
      const { status, text } = await revoke(one);
      expect([status, text]).toEqual([200, "{}"]);
    }
    expect([await works(token), await works(other.token)]).toEqual([false, true]);
  });

  test("does not end the account's token", async () => {
    const user = await makeUser();
    expect((await revoke(user.token)).body?.error).toBe("unsupported_token_type");
    expect(await works(user.token)).toBe(true);
  });
});
