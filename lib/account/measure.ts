import { ACCESSES } from "@/lib/access";
import { db } from "@/lib/db/client";
import { durationInWords } from "@/lib/in-words";
import { countLinkStates } from "@/lib/link/count-states";
import { APPROVE_WITHIN_SECONDS } from "@/lib/link/lifetimes";
import { gauge } from "@/lib/metrics";
import { documentTotals, keyTotals, userTotals } from "./statistics/stored";

/** Declares the metrics that are read from the database on each request. */
export function measureStored(): void {
  const period = durationInWords(APPROVE_WITHIN_SECONDS);
  gauge("latchkey_link_requests", `Requests of the last ${period} to link a program, by state`, ["state"], async () =>
    Object.entries(await countLinkStates()).map(([state, count]) => [{ state }, count]),
  );
  gauge("latchkey_stored_bytes", "Bytes that users have stored, as their quotas count them", ["in"], async () => [
    [{ in: "keys" }, (await keyTotals()).sum],
    [{ in: "files" }, (await documentTotals()).sum],
  ]);
  gauge("latchkey_tokens", "Tokens by access; account: one for each account", ["access"], async () => [
    [{ access: "account" }, (await userTotals()).rows],
    ...(await countTokens()).map(([access, count]): [{ access: string }, number] => [{ access }, count]),
  ]);
  gauge("latchkey_passkeys", "Passkeys of all accounts", [], async () => [[{}, await db.passkey.count()]]);
  gauge("latchkey_claims", "Times that a key was accepted with a claim link", [], async () => [
    [{}, await db.claim.count()],
  ]);
  gauge("latchkey_users", "Accounts", [], async () => [[{}, (await userTotals()).rows]]);
}

/** Tokens of programs' own, also ended ones that are still listed. */
async function countTokens(): Promise<[string, number][]> {
  const counted = await db.accessToken.groupBy({ by: ["access"], _count: true });
  return ACCESSES.map((access) => [access, counted.find((one) => one.access === access)?._count ?? 0]);
}
