import type { Network } from "@/lib/network";
import { type Endings, recover } from "@/lib/recovery/recover";

/** Recovers with a code, and a new password. */
export const recoverByCode = (username: string, code: string, password: string, token: boolean, network: Network) =>
  recover({ through: "code", username, code }, { password }, ending({ token }), network);

/** The same with a link. */
export const recoverByLink = (secret: string, password: string, token: boolean, network: Network, now = new Date()) =>
  recover({ through: "link", secret }, { password }, ending({ token }), network, now);

/** What else a recovery ends: nothing, unless said. */
export const ending = (what: Partial<Endings> = {}): Endings => ({
  passkeys: false,
  providers: false,
  email: false,
  token: false,
  ...what,
});
