import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outsideProviders } from "@/lib/accounts/providers";
import { env } from "@/lib/platform/env";

/** The client with which NextAuth asks providers. */
const { Issuer } = createRequire(createRequire(import.meta.url).resolve("next-auth"))("openid-client");

const server = createServer((_, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ access_token: "a token", token_type: "Bearer" }));
});
let client: { oauthCallback(url: string, params: object, checks: object): Promise<{ access_token?: string }> };
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  // As NextAuth does for Discord, which it gives no name.
  const { port } = server.address() as AddressInfo;
  const discord = new Issuer({ issuer: undefined, token_endpoint: `http://127.0.0.1:${port}/` });
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
