import DiscordProvider from "next-auth/providers/discord";
import GitHubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import type { Provider } from "next-auth/providers/index";
import type { Statements } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { ApiError } from "@/lib/platform/errors";
import { passkeyHost } from "./passkeys/relying-party";

/** For how long a provider may be silent. */
const PROVIDER_TIMEOUT_MS = 15_000;

/**
 * Of every provider. Each callback must prove that it was started here (state), and that nobody else can use its code
 * (PKCE, RFC 7636). A provider that wakes up first takes seconds: openid-client alone would give up after 3.5
 * (contract, section 5: sign-in).
 */
const COMMON = {
  checks: ["pkce", "state"] as ("pkce" | "state")[],
  httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
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
    providers.push(GitHubProvider({ clientId: GITHUB_ID, clientSecret: GITHUB_SECRET, ...COMMON }));
  if (GOOGLE_ID && GOOGLE_SECRET)
    providers.push(GoogleProvider({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET, ...COMMON }));
  if (DISCORD_ID && DISCORD_SECRET)
    providers.push(DiscordProvider({ clientId: DISCORD_ID, clientSecret: DISCORD_SECRET, ...COMMON }));
  if (OIDC_ISSUER && OIDC_ID && OIDC_SECRET) {
    providers.push({
      id: "oidc",
      name: env.OIDC_NAME,
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/$/, "")}/.well-known/openid-configuration`,
      clientId: OIDC_ID,
      clientSecret: OIDC_SECRET,
      idToken: true,
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

const ADVICE = "This is your only way to sign in. Set a password first.";

/**
 * Checks that the user could still sign in without this provider, by its stored name, or without this passkey: with a
 * password, a provider that is offered, or a passkey of this host. Recovery codes do not count: a sheet of paper may be
 * lost, and nobody would notice. Lock the user first. Throws 409 `last_way_in` with this advice.
 */
export async function requireOtherSignInMethod(
  tx: Statements,
  userId: string,
  without: ({ provider: string } | { passkeyId: string }) & { advice?: string },
): Promise<void> {
  const { passwordHash } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } });
  if (passwordHash !== null) return;
  const offered = configuredProviders().map(({ id }) => storedProvider(id));
  const left = "provider" in without ? offered.filter((other) => other !== without.provider) : offered;
  const identities = await tx.identity.count({ where: { userId, provider: { in: left } } });
  const host = passkeyHost();
  const other = "passkeyId" in without ? { id: { not: without.passkeyId } } : {};
  const passkeys = host === null ? 0 : await tx.passkey.count({ where: { userId, host, ...other } });
  if (identities + passkeys === 0) throw new ApiError(409, "last_way_in", without.advice ?? ADVICE);
}
