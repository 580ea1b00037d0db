import { headers } from "next/headers";
import CredentialsProvider from "next-auth/providers/credentials";
import { clientNetwork } from "@/lib/network";
import { originOf } from "@/lib/origin";
import { passkeyRefused } from "@/lib/passkeys/errors";
import { requireRelyingParty } from "@/lib/passkeys/relying-party";
import { authenticateWithPasskey, signUpWithPasskey } from "./authenticate-with-passkey";
import { passkeyBrowser } from "./passkey-browser";
import { forSignInPage } from "./sign-in-error";

/**
 * Signs in with the answer of an authenticator, as JSON. With a username and an id, the answer is that of a new
 * passkey, and the account is created first: so nobody has to touch the authenticator twice.
 */
export const passkeyProvider = CredentialsProvider({
  id: "passkey",
  name: "passkey",
  credentials: { answer: {}, username: {}, userId: {} },
  async authorize(credentials) {
    try {
      const sent = await headers();
      const source = {
        party: requireRelyingParty(originOf({ headers: sent })),
        browser: await passkeyBrowser(),
        network: clientNetwork(sent),
      };
      const answer = parsed(credentials?.answer);
      return await (credentials?.userId === undefined
        ? authenticateWithPasskey(answer, source)
        : signUpWithPasskey(credentials, answer, source));
    } catch (error) {
      throw forSignInPage(error);
    }
  },
});

function parsed(answer: unknown): unknown {
  try {
    return JSON.parse(String(answer));
  } catch {
    throw passkeyRefused();
  }
}
