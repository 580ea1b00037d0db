import type { SignedIn } from "@/lib/accounts/current-user";
import { requireOperator } from "@/lib/operator/access";
import { actor, type Outcome, outcome } from "../outcome";

/**
 * Runs an action of the console as `outcome` does, for an administrator with a recent proof. Everybody else gets 404
 * `not_found`, which is recorded under the name `what`.
 */
export function consoleAction<T>(
  what: string,
  work: (admin: SignedIn) => Promise<T>,
  onlyField?: string,
): Promise<Outcome<T>> {
  return outcome(async () => {
    const admin = await actor();
    await requireOperator(admin, what);
    return work(admin);
  }, onlyField);
}
