import { decodeProtectedHeader } from "jose";
import DiscordProvider from "next-auth/providers/discord";
import GitHubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import type { Provider } from "next-auth/providers/index";
import type { TokenEndpointHandler, UserinfoEndpointHandler } from "next-auth/providers/oauth";
import { env } from "@/lib/platform/env";
import { outgoing } from "@/lib/platform/network/outgoing";

/** For how long a provider may be silent. */
const PROVIDER_TIMEOUT_MS = 15_000;

/**
 * Of every provider. Each callback must prove that it was started here (state), and that nobody else can use its code
 * (PKCE, RFC 7636). A provider that wakes up first takes seconds: openid-client alone would give up after 3.5
 * (contract, section 5: sign-in).
 */
const COMMON = {
  checks: ["pkce", "state"] as ("pkce" | "state")[],
  httpOptions: { timeout: PROVIDER_TIMEOUT_MS, agent: outgoing },
};

/**
 * The name under which identities of a provider are stored. For OpenID Connect it contains the configured issuer, not
 * the one in a token. Another issuer may number its users alike or claim to be the first; it must never sign anybody in
 * to accounts of the first.
 */
export function storedProvider(id: string): string {
  return id === "oidc" ? `oidc ${env.OIDC_ISSUER?.replace(/\/+$/, "") ?? ""}` : id;
}

/** The providers whose variables are set, with the names on their buttons. */
export function configuredProviders(): { id: string; name: string }[] {
  return outsideProviders().map(({ id, name }) => ({ id, name }));
}

/** The name of a provider for people, from the one under which its identities are stored. */
export function providerName(stored: string): string {
  return configuredProviders().find(({ id }) => storedProvider(id) === stored)?.name ?? stored;
}

/** The same for NextAuth; empty if nothing is configured. */
export function outsideProviders(): Provider[] {
  const {
    GITHUB_ID,
    GITHUB_SECRET,
    GOOGLE_ID,
    GOOGLE_SECRET,
    DISCORD_ID,
    DISCORD_SECRET,
    OIDC_ISSUER,
    OIDC_ID,
    OIDC_SECRET,
  } = env;
  const providers: Provider[] = [];
  if (GITHUB_ID && GITHUB_SECRET)
    providers.push(
      GitHubProvider({
        clientId: GITHUB_ID,
        clientSecret: GITHUB_SECRET,
        userinfo: { request: profileAlone },
        ...COMMON,
      }),
    );
  if (GOOGLE_ID && GOOGLE_SECRET)
    providers.push(GoogleProvider({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET, ...COMMON }));
  if (DISCORD_ID && DISCORD_SECRET)
    providers.push(
      DiscordProvider({ clientId: DISCORD_ID, clientSecret: DISCORD_SECRET, token: DISCORD_TOKENS, ...COMMON }),
    );
  if (OIDC_ISSUER && OIDC_ID && OIDC_SECRET) {
    providers.push({
      id: "oidc",
      name: env.OIDC_NAME,
      type: "oauth",
      wellKnown: metadataAt(OIDC_ISSUER),
      clientId: OIDC_ID,
      clientSecret: OIDC_SECRET,
      idToken: true,
      token: { request: exchangeCode },
      ...COMMON,
      checks: [...COMMON.checks, "nonce"],
      authorization: { params: { scope: "openid profile" } },
      profile: (profile: { sub: string; preferred_username?: string; name?: string }) => ({
        id: profile.sub,
        name: profile.preferred_username ?? profile.name ?? null,
      }),
    });
  }
  return providers;
}

/** Where an issuer says what it can do (OpenID Connect Discovery 1.0, section 4). */
export const metadataAt = (issuer: string) => `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;

/** Without the e-mail addresses, for which the package would ask past `outgoing`, and which we do not store. */
const profileAlone: UserinfoEndpointHandler["request"] = ({ client, tokens }) =>
  client.userinfo(String(tokens.access_token));

/**
 * Without `iss` (RFC 9207), which openid-client refuses of a provider whose name it was not told. That names the
 * provider to prevent mix-ups; so does the callback, of which each has its own here (RFC 9700, section 4.4.2).
 */
const DISCORD_TOKENS: TokenEndpointHandler = {
  url: "https://discord.com/api/oauth2/token",
  request: async ({ provider, params: { iss: _, ...params }, checks, client }) => ({
    tokens: await client.oauthCallback(provider.callbackUrl, params, checks),
  }),
};

/** Signatures that nobody can make with what is public. RFC 7518, section 3.1; EdDSA: RFC 8037. */
export const SIGNED_BY_KEY = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA)$/;

/**
 * The tokens for the code with which a browser came back. Their ID token may be signed in any way that the provider's
 * metadata names: openid-client expects RS256 unless it is told otherwise before, and a provider that signs in several
 * ways says only in the token which it chose (OpenID Connect Core 1.0, section 3.1.3.7).
 */
const exchangeCode: TokenEndpointHandler["request"] = async ({ provider, params, checks, client }) => {
  const grant = client.grant.bind(client);
  let exchanged: Awaited<ReturnType<typeof grant>> | undefined;
  client.grant = async (...parameters) => {
    exchanged = await grant(...parameters);
    return exchanged;
  };
  try {
    return { tokens: await client.callback(provider.callbackUrl, params, checks) };
  } catch (error) {
    const tokens = exchanged;
    const alg = tokens?.id_token === undefined ? undefined : decodeProtectedHeader(tokens.id_token).alg;
    const supported = client.issuer.metadata.id_token_signing_alg_values_supported;
    const expected = client.metadata.id_token_signed_response_alg;
    if (!tokens || !alg || alg === expected || !SIGNED_BY_KEY.test(alg) || !isListed(supported, alg)) throw error;
    const another = new client.issuer.Client({ ...client.metadata, id_token_signed_response_alg: alg });
    // The clock's tolerance.
    for (const key of Object.getOwnPropertySymbols(client)) Reflect.set(another, key, Reflect.get(client, key));
    another.grant = async () => tokens;
    return { tokens: await another.callback(provider.callbackUrl, params, checks) };
  }
};

const isListed = (list: unknown, text: string) => Array.isArray(list) && list.includes(text);
