import DiscordProvider from "next-auth/providers/discord";
import GitHubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import type { Provider } from "next-auth/providers/index";
import { env } from "@/lib/env";

/** The providers whose variables are set, with the names that their buttons bear. */
export function configuredProviders(): { id: string; name: string }[] {
  return outsideProviders().map(({ id, name }) => ({ id, name }));
}

/** The same for NextAuth: where nothing is configured, none. */
export function outsideProviders(): Provider[] {
  const { GITHUB_ID, GITHUB_SECRET, GOOGLE_ID, GOOGLE_SECRET, DISCORD_ID, DISCORD_SECRET, OIDC_ISSUER, OIDC_ID, OIDC_SECRET } = env;
  const providers: Provider[] = [];
  if (GITHUB_ID && GITHUB_SECRET) providers.push(GitHubProvider({ clientId: GITHUB_ID, clientSecret: GITHUB_SECRET }));
  if (GOOGLE_ID && GOOGLE_SECRET) providers.push(GoogleProvider({ clientId: GOOGLE_ID, clientSecret: GOOGLE_SECRET }));
  if (DISCORD_ID && DISCORD_SECRET) providers.push(DiscordProvider({ clientId: DISCORD_ID, clientSecret: DISCORD_SECRET }));
  if (OIDC_ISSUER && OIDC_ID && OIDC_SECRET) {
    providers.push({
      id: "oidc",
      name: env.OIDC_NAME,
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/$/, "")}/.well-known/openid-configuration`,
      clientId: OIDC_ID,
      clientSecret: OIDC_SECRET,
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      authorization: { params: { scope: "openid profile" } },
      profile: (profile: { sub: string; preferred_username?: string; name?: string }) => ({
        id: profile.sub,
        name: profile.preferred_username ?? profile.name ?? null,
      }),
    });
  }
  return providers;
}
