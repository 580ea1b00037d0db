import type { AccessToken } from "@/prisma/generated/sqlite/client";
import type { TokenInUse } from "../user";

/** To whom a new token proves who its user is, and in whose name (contract, section 5: validator). */
export interface Proving {
  audiences: readonly string[];
  party: string;
}

/** The same as columns of the token. */
export const provingColumns = ({ audiences, party }: Proving) => ({ audiences: audiences.join("\n"), party });

/** Of a program that has no other name: a validator always says that a program made it. */
const NAMELESS = "program";

/** A name as a validator states it: never what could be taken for the origin of a web page, and never empty. */
export function partyNamed(name: string): string {
  let party = name.replace(/^.*:\/\//, "").trim();
  while (URL.canParse(party) && new URL(party).origin !== "null") party = party.replace(/^[^:]*:[\\/]*/, "").trim();
  return party || NAMELESS;
}

type Columns = Pick<AccessToken, "audiences" | "party" | "name" | "access">;

/**
 * To whom a token proves who its user is, and in whose name. One from before this was limited can do what its user
 * approved then: with everything, what the account's token can; else no more than say who that is.
 */
export function provingOf({ audiences, party, name, access }: Columns): Pick<TokenInUse, "audiences" | "party"> {
  const isUnlimited = audiences === null && access === "everything";
  return {
    audiences: isUnlimited ? null : (audiences ?? name).split("\n").filter(Boolean),
    party: party ?? partyNamed(name),
  };
}
