import { headers } from "next/headers";
import type { Account, DefaultSession, NextAuthOptions } from "next-auth";
import type { JWT } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import { ApiError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { clientNetwork } from "@/lib/platform/network/client";
import { originOf } from "@/lib/platform/network/host";
import { passkeyRefused } from "../errors";
import { requireRelyingParty } from "../identity/relying-party";
import type { Caller, ProviderIdentity } from "../identity/user";
import { rememberedBrowserCookie, rememberThisBrowser } from "../session/cookies";
import { cookieAt, cookieSecrets, decodeCookie, SESSION_COOKIE } from "../session/session-cookie";
import {
  closeSession,
  type InSession,
  openSession,
  type Proven,
  SESSION_SECONDS,
  sessionUser,
} from "../session/sessions";
import { connectIdentity } from "./connect";
import { userOfIdentity } from "./identities";
import { offerPasskey, passkeyBrowser } from "./passkeys/browser";
import { passwordHashOf } from "./passwords";
import { outsideProviders, storedProvider } from "./providers";
import { authenticate, authenticateWithPasskey } from "./sign-in";
import { signUpWithPasskey } from "./sign-up";

/** What the sign-in page gets instead of the code of an ApiError. */
const SIGN_IN_ERRORS: Record<string, string> = {
  wrong_password: "invalid",
  rate_limited: "rate_limited",
  hashing_busy: "busy",
  account_disabled: "disabled",
  passkey_refused: "passkey_refused",
  passkey_unknown: "passkey_unknown",
  passkey_unfit: "passkey_unfit",
  passkey_expired: "passkey_expired",
  passkey_known: "passkey_known",
  username_taken: "username_taken",
  signup_closed: "signup_closed",
};

/** The error for NextAuth to pass to the sign-in page. Logs what is a fault. */
export function forSignInPage(error: unknown): Error {
  const reported = error instanceof ApiError ? SIGN_IN_ERRORS[error.code] : undefined;
  if (!(error instanceof ApiError)) log.error({ err: error }, "signing in failed");
  return new Error(reported ?? "unavailable");
}

/**
 * Signs in with the response of an authenticator, as JSON. With a username and an id, the response is that of a new
 * passkey, and the account is created first: so nobody has to touch the authenticator twice.
 */
export const passkeyProvider = CredentialsProvider({
  id: "passkey",
  name: "passkey",
  credentials: { answer: {}, username: {}, userId: {} },
  async authorize(credentials) {
    try {
      const requestHeaders = await headers();
      const context = {
        party: requireRelyingParty(originOf({ headers: requestHeaders })),
        browser: await passkeyBrowser(),
        network: clientNetwork(requestHeaders),
      };
      const response = parsed(credentials?.answer);
      return await (credentials?.userId === undefined
        ? authenticateWithPasskey(response, context)
        : signUpWithPasskey(credentials, response, context));
    } catch (error) {
      throw forSignInPage(error);
    }
  },
});

function parsed(response: unknown): unknown {
  try {
    return JSON.parse(String(response));
  } catch {
    throw passkeyRefused();
  }
}

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
    user?: Caller & DefaultSession["user"];
  }
}

/** Names where a sign-in leads to, also one that fails at a provider. */
export const DESTINATION_COOKIE = "callback-url";
/** Stored while somebody is at a provider. */
export const STATE_COOKIE = "state";

const password = CredentialsProvider({
  name: "password",
  credentials: { username: {}, password: {} },
  async authorize(credentials, request) {
    const { username, password } = credentials ?? {};
    if (typeof username !== "string" || typeof password !== "string") throw new Error("invalid");
    try {
      return await authenticate(username, password, {
        network: clientNetwork(new Headers(request.headers as Record<string, string>)),
        cookie: await rememberedBrowserCookie(),
      });
    } catch (error) {
      throw forSignInPage(error);
    }
  },
});

/**
 * NextAuth with JWT cookies that name a row of Session, which is checked on every server read (contract, section 5).
 * `origin`: the address that people open. `connectingUser`: the user, if any, who began on the account page to connect
 * an account at this provider.
 */
export function authOptions(
  origin: string,
  connectingUser: (provider: string) => Promise<InSession | null> = async () => null,
): NextAuthOptions {
  return {
    secret: cookieSecrets()[0],
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    jwt: { decode: decodeCookie },
    useSecureCookies: origin.startsWith("https:"),
    cookies: cookiesAt(origin),
    pages: { signIn: "/signin", error: "/signin", signOut: "/account", verifyRequest: "/signin" },
    providers: [password, passkeyProvider, ...outsideProviders()],
    callbacks: {
      /** Connects the provider's account to the signed-in user only if it began at `/account`. */
      async signIn({ account }) {
        if (!account || account.type === "credentials") return true;
        const identity = identityOf(account);
        try {
          const connecting = await connectingUser(account.provider);
          if (connecting) return `/account?connected=${await connectingResult(connecting, identity)}`;
          const owner = await userOfIdentity(identity);
          return owner?.disabledAt ? "/api/auth/error?error=disabled" : true;
        } catch (error) {
          // NextAuth would put its message into the address.
          throw forSignInPage(error);
        }
      },
      async jwt({ token, user, account, trigger }) {
        if (account) {
          if (account.provider === password.id) await offerPasskey(user.id, origin);
          if (account.type === "credentials") return signedIn(user);
          return signedInThrough(identityOf(account));
        }
        if (token.identity) return trigger === "update" ? signedInThrough(token.identity) : token;
        // NextAuth removes the cookie when this throws, so it throws only if the session has ended, not if its state is
        // unknown.
        const current = await sessionUser(token.sessionId ?? "").catch((error) => {
          log.error({ err: error }, "a session could not be looked up");
          return undefined;
        });
        if (current === null) throw new SessionEnded();
        return { ...token, user: current };
      },
      /** What /api/auth/session returns to the scripts of a page: the signed-in user, never the session's own id. */
      session: ({ session, token }) => ({ expires: session.expires, user: token.user }),
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

/** What the account page is told. */
async function connectingResult(user: InSession, identity: ProviderIdentity): Promise<"yes" | "taken" | "failed"> {
  try {
    await connectIdentity(user.id, identity, user);
    return "yes";
  } catch (error) {
    if (error instanceof ApiError && error.code === "identity_taken") return "taken";
    log.error({ err: error }, "connecting an account of a provider failed");
    return "failed";
  }
}

function cookiesAt(origin: string): NextAuthOptions["cookies"] {
  const named = (name: string) => cookieAt(origin, name);
  return {
    sessionToken: named(SESSION_COOKIE),
    callbackUrl: named(DESTINATION_COOKIE),
    csrfToken: named("csrf-token"),
    pkceCodeVerifier: named("pkce"),
    state: named(STATE_COOKIE),
    nonce: named("nonce"),
  };
}

class SessionEnded extends Error {}

function identityOf({ provider, providerAccountId }: Account): ProviderIdentity {
  return { provider: storedProvider(provider), accountId: providerAccountId };
}

async function signedIn(user: Proven): Promise<JWT> {
  const requestHeaders = await headers();
  const sessionId = await openSession(user, {
    userAgent: requestHeaders.get("user-agent") ?? "",
    network: clientNetwork(requestHeaders).id,
  });
  if (!sessionId) throw new SessionEnded();
  await rememberThisBrowser({ id: user.id, passwordHash: user.passwordHash ?? (await passwordHashOf(user.id)) });
  return { sessionId };
}

/**
 * An identity of a user is signed in. For any other, the cookie carries it until a visitor has selected a username at
 * /signup.
 */
async function signedInThrough(identity: ProviderIdentity): Promise<JWT> {
  const owner = await userOfIdentity(identity);
  return owner ? signedIn({ id: owner.id, identity }) : { identity };
}
