import { identitiesOf } from "@/lib/accounts/ways-in/identities";
import { emailOf } from "@/lib/accounts/ways-in/mail/addresses";
import { type ListedPasskey, passkeysOf } from "@/lib/accounts/ways-in/passkeys/list";
import { providerName } from "@/lib/accounts/ways-in/providers";
import type { ProvenUser } from "@/lib/accounts/ways-in/recovery/recover";
import { linkedPrograms } from "@/lib/link/list";

/** Further programs are only counted. */
const MAX_NAMED = 20;

/** What a user who comes back can end with the former sign-in method. */
export interface RecoveryEffects {
  username: string;
  passkeys: ListedPasskey[];
  /** The names of the connected providers. */
  providers: string[];
  /** The verified e-mail address; null if there is none, or if it got the link. */
  email: string | null;
  /** Those that stop with the account's token: some names, each once, and how many more. */
  programs: { names: string[]; more: number };
}

/** What coming back can end. Only for somebody who has proved whose account it is. */
export async function recoveryEffects({ id, username, through }: ProvenUser): Promise<RecoveryEffects> {
  const [passkeys, identities, email, programs] = await Promise.all([
    passkeysOf(id),
    identitiesOf(id),
    emailOf(id),
    linkedPrograms(id),
  ]);
  const names = [...new Set(programs.map(({ program }) => program || "Unnamed program"))];
  return {
    username,
    passkeys,
    providers: [...new Set(identities.map(({ provider }) => providerName(provider)))],
    email: through === "email" ? null : (email?.address ?? null),
    programs: { names: names.slice(0, MAX_NAMED), more: Math.max(0, names.length - MAX_NAMED) },
  };
}
