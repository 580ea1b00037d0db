import { type Endings, recover } from "@/lib/accounts/recovery/recover";
import type { Network } from "@/lib/platform/network/network";

export const recoverByCode = (username: string, code: string, password: string, token: boolean, network: Network) =>
  recover({ through: "code", username, code }, { signInMethod: { password }, endings: ending({ token }) }, { network });

export const recoverByLink = (secret: string, password: string, token: boolean, network: Network, now = new Date()) =>
  recover({ through: "link", secret }, { signInMethod: { password }, endings: ending({ token }) }, { network, now });

export const ending = (what: Partial<Endings> = {}): Endings => ({
  passkeys: false,
  providers: false,
  email: false,
  token: false,
  ...what,
});

export const secretOf = (link: string): string => new URL(link).hash.slice(1);
