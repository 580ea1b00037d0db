import { headers } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import type { JWT } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import DiscordProvider from "next-auth/providers/discord";
import GitHubProvider from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import type { Provider } from "next-auth/providers/index";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { log } from "@/lib/log";
import { clientNetwork } from "@/lib/network";
import { derivedKey } from "@/lib/secrets";
import type { Caller } from "./caller";
import { connectIdentity, userOfIdentity } from "./identities";
import { closeSession, openSession, SESSION_SECONDS, sessionUser } from "./sessions";
import { authenticate, type ProviderIdentity } from "./users";

declare module "next-auth/jwt" {
  interface JWT {
    /** Names a row of Session. */
    sessionId?: string;
    /** Signed in at a provider, with no user here yet. */
    identity?: ProviderIdentity;
    user?: Caller;
  }
}

declare module "next-auth" {
  interface Session {
    sessionId?: string;
    identity?: ProviderIdentity;
    user?: Caller;
  }
}

/** What the sign-in page is told, in place of the code of an ApiError. */
const SIGN_IN_ERRORS: Record<string, string> = { wrong_password: "invalid", rate_limited: "rate_limited", account_disabled: "disabled" };

const password = CredentialsProvider({
  name: "password",
  credentials: { username: {}, password: {} },
  async authorize(credentials, request) {
    const { username, password } = credentials ?? {};
    if (typeof username !== "string" || typeof password !== "string") throw new Error("invalid");
    try {
      return await authenticate(username, password, clientNetwork(new Headers(request.headers as Record<string, string>)));
    } catch (error) {
      const told = error instanceof ApiError ? SIGN_IN_ERRORS[error.code] : undefined;
      if (!told) log.error({ err: error }, "signing in failed");
      throw new Error(told ?? "unavailable");
    }
  },
});

/** The providers whose variables are set, with the names that their buttons bear. */
export function configuredProviders(): { id: string; name: string }[] {
  return outsideProviders().map(({ id, name }) => ({ id, name }));
}

function outsideProviders(): Provider[] {
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

/**
 * NextAuth with JWT cookies that name a row of Session, which is looked at on every server read (contract, section 5).
 * `secure` says whether people reach this deployment over HTTPS; `connectingUser` who, if anybody, asked on the account page
 * to connect an account at this provider.
 */
export function authOptions(secure: boolean, connectingUser: (provider: string) => Promise<string | null> = async () => null): NextAuthOptions {
  return {
    secret: derivedKey("cookies").toString("base64url"),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    useSecureCookies: secure,
    pages: { signIn: "/signin", error: "/signin" },
    providers: [password, ...outsideProviders()],
    callbacks: {
      /** A user who is signed in connects the provider's account if `/account` asked for it; nothing else does. */
      async signIn({ account }) {
        if (!account || account.type === "credentials") return true;
        const identity = { provider: account.provider, accountId: account.providerAccountId };
        const connecting = await connectingUser(account.provider);
        if (connecting) {
          const taken = await connectIdentity(connecting, identity).then(
            () => false,
            (error) => error instanceof ApiError,
          );
          return taken ? "/account?connected=taken" : "/account?connected=yes";
        }
        const owner = await userOfIdentity(identity);
        return owner?.disabledAt ? "/signin?error=disabled" : true;
      },
      async jwt({ token, user, account, trigger }) {
        if (account) {
          if (account.type === "credentials") return signedIn(user.id);
          return signedInThrough({ provider: account.provider, accountId: account.providerAccountId });
        }
        if (token.identity) return trigger === "update" ? signedInThrough(token.identity) : token;
        // NextAuth takes the cookie away when this throws, so it throws only where the session has ended, not where nobody can tell.
        const found = await sessionUser(token.sessionId ?? "").catch((error) => {
          log.error({ err: error }, "a session could not be looked up");
          return undefined;
        });
        if (found === null) throw new SessionEnded();
        return { ...token, user: found };
      },
      session: ({ session, token }) => ({ expires: session.expires, user: token.user, sessionId: token.sessionId, identity: token.identity }),
    },
    events: {
      async signOut({ token }) {
        if (token?.sessionId) await closeSession(token.sessionId);
      },
    },
    logger: {
      error(code, metadata) {
        const error = metadata instanceof Error ? metadata : (metadata as { error?: Error }).error;
        if (error instanceof SessionEnded) return;
        log.warn({ code, reason: error?.message }, "NextAuth");
      },
      warn: (code) => log.debug({ code }, "NextAuth"),
      debug: () => {},
    },
  };
}

class SessionEnded extends Error {}

async function signedIn(userId: string): Promise<JWT> {
  const sessionId = await openSession(userId, (await headers()).get("user-agent") ?? "");
  return { sessionId };
}

/** Known: signed in. Not known: the cookie carries the identity until its person has chosen a username at /signup. */
async function signedInThrough(identity: ProviderIdentity): Promise<JWT> {
  const owner = await userOfIdentity(identity);
  return owner ? signedIn(owner.id) : { identity };
}
