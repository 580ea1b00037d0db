import { headers } from "next/headers";
import type { Account, NextAuthOptions } from "next-auth";
import { decode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import { ApiError } from "@/lib/errors";
import { log } from "@/lib/log";
import { clientNetwork } from "@/lib/network";
import { derivedKeys } from "@/lib/secrets";
import { authenticate } from "./authenticate";
import type { Caller } from "./caller";
import { connectIdentity, userOfIdentity } from "./identities";
import { outsideProviders, storedProvider } from "./providers";
import { closeSession, openSession, type Proven, SESSION_SECONDS, sessionUser } from "./sessions";
import { knownBrowserCookie, rememberThisBrowser } from "./this-browser";
import { type ProviderIdentity, passwordHashOf } from "./users";

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
  interface User extends Proven {}
  interface Session {
    sessionId?: string;
    identity?: ProviderIdentity;
    user?: Caller;
  }
}

/** What the sign-in page is told, in place of the code of an ApiError. */
const SIGN_IN_ERRORS: Record<string, string> = {
  wrong_password: "invalid",
  rate_limited: "rate_limited",
  hashing_busy: "busy",
  account_disabled: "disabled",
};

const password = CredentialsProvider({
  name: "password",
  credentials: { username: {}, password: {} },
  async authorize(credentials, request) {
    const { username, password } = credentials ?? {};
    if (typeof username !== "string" || typeof password !== "string") throw new Error("invalid");
    try {
      return await authenticate(username, password, clientNetwork(new Headers(request.headers as Record<string, string>)), await knownBrowserCookie());
    } catch (error) {
      const told = error instanceof ApiError ? SIGN_IN_ERRORS[error.code] : undefined;
      if (!told) log.error({ err: error }, "signing in failed");
      throw new Error(told ?? "unavailable");
    }
  },
});

/**
 * NextAuth with JWT cookies that name a row of Session, which is looked at on every server read (contract, section 5).
 * `secure` says whether people reach this deployment over HTTPS; `connectingUser` who, if anybody, asked on the account page
 * to connect an account at this provider.
 */
export function authOptions(secure: boolean, connectingUser: (provider: string) => Promise<string | null> = async () => null): NextAuthOptions {
  return {
    secret: cookieSecrets()[0],
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    jwt: { decode: decodeCookie },
    useSecureCookies: secure,
    pages: { signIn: "/signin", error: "/signin", signOut: "/account", verifyRequest: "/signin" },
    providers: [password, ...outsideProviders()],
    callbacks: {
      /** A user who is signed in connects the provider's account if `/account` asked for it; nothing else does. */
      async signIn({ account }) {
        if (!account || account.type === "credentials") return true;
        const identity = identityOf(account);
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
          if (account.type === "credentials") return signedIn(user, secure);
          return signedInThrough(identityOf(account), secure);
        }
        if (token.identity) return trigger === "update" ? signedInThrough(token.identity, secure) : token;
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

/** One for each secret of AUTH_SECRET; cookies are made under the first. */
function cookieSecrets(): string[] {
  return derivedKeys("cookies").map((key) => key.export().toString("base64url"));
}

/** What a cookie holds that was made under any of the secrets. Throws where it was made under none. */
async function decodeCookie(parameters: JWTDecodeParams): Promise<JWT | null> {
  let refused: unknown;
  for (const secret of cookieSecrets()) {
    try {
      return await decode({ ...parameters, secret });
    } catch (error) {
      refused ??= error;
    }
  }
  throw refused;
}

class SessionEnded extends Error {}

function identityOf({ provider, providerAccountId }: Account): ProviderIdentity {
  return { provider: storedProvider(provider), accountId: providerAccountId };
}

async function signedIn(user: Proven, secure: boolean): Promise<JWT> {
  const sent = await headers();
  const sessionId = await openSession(user, { userAgent: sent.get("user-agent") ?? "", network: clientNetwork(sent).id });
  if (!sessionId) throw new SessionEnded();
  await rememberThisBrowser({ id: user.id, passwordHash: user.passwordHash ?? (await passwordHashOf(user.id)) }, secure);
  return { sessionId };
}

/** Known: signed in. Not known: the cookie carries the identity until its person has chosen a username at /signup. */
async function signedInThrough(identity: ProviderIdentity, secure: boolean): Promise<JWT> {
  const owner = await userOfIdentity(identity);
  return owner ? signedIn({ id: owner.id }, secure) : { identity };
}
