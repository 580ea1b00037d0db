"use server";

import { refresh } from "next/cache";
import { findKey } from "@/lib/keys/access";
import { claimsCsv, createClaimLinks, wantedLinks } from "@/lib/keys/claims/create";
import { endClaimLinks } from "@/lib/keys/claims/list";
import { pageOrigin } from "../origin";
import { actor, type Outcome, outcome, provenActor } from "../outcome";
import { readFields, readId, readNumber } from "./read";

/** What a form of links says: numbers as typed, and no days for access without an end. */
export interface TypedLinks {
  links: string;
  most: string;
  days: string | null;
  openDays: string;
  note: string;
}

/** Creates claim links, and returns them, this once: all as CSV, and the first. */
export async function createLinks(
  keyId: string,
  sent: TypedLinks,
): Promise<Outcome<{ count: number; first: string; csv: string }>> {
  return outcome(async () => {
    const caller = await provenActor();
    const wanted = readFields(wantedLinks, sent, "This field", { isNamed: false });
    const row = await findKey(caller, readId(keyId));
    const made = await createClaimLinks(caller, row, wanted, { origin: await pageOrigin() });
    refresh();
    return { count: made.links.length, first: made.links[0] ?? "", csv: claimsCsv(made, wanted.note) };
  });
}

/** Ends the links of a batch, or the one with this number, and returns how many could be used until now. */
export async function endLinks(keyId: string, batchId: string, number: string): Promise<Outcome<number>> {
  return outcome(async () => {
    const caller = await actor();
    const row = await findKey(caller, readId(keyId));
    const ended = await endClaimLinks(caller, row, readId(batchId), readNumber(number, "number"));
    refresh();
    return ended;
  });
}
