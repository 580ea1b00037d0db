import { type Endings, recover } from "@/lib/accounts/ways-in/recovery/recover";
import type { Network } from "@/lib/platform/network/network";

interface Recovery {
  password: string;
  /** Whether the account gets a new token. */
  token?: boolean;
  network: Network;
  now?: Date;
}

export const recoverByCode = (username: string, code: string, { password, token = false, ...context }: Recovery) =>
  recover({ through: "code", username, code }, { signInMethod: { password }, endings: ending({ token }) }, context);

export const recoverByLink = (secret: string, { password, token = false, ...context }: Recovery) =>
  recover({ through: "link", secret }, { signInMethod: { password }, endings: ending({ token }) }, context);

export const ending = (what: Partial<Endings> = {}): Endings => ({
  passkeys: false,
  providers: false,
  email: false,
  token: false,
  ...what,
});

export const secretOf = (link: string): string => new URL(link).hash.slice(1);
