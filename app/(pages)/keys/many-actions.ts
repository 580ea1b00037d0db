"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { changeHolders, type NameResult, readNames } from "@/lib/keys/add-many";
import { actorHere, type Outcome, outcome } from "../outcome";
import type { HolderChange } from "./holder-result";
import { readEnd, readId } from "./read";

/** Adds many users to a key, or revokes it from them, and returns what became of each. */
export async function changeMany(
  keyId: string,
  change: HolderChange,
  names: string,
  end?: string,
): Promise<Outcome<NameResult[]>> {
  return outcome(async () => {
    const caller = await actorHere();
    const until = readEnd(end);
    const wanted = change === "add" ? { adds: true as const, end: until } : { adds: false as const };
    const results = await changeHolders(caller, readId(keyId), readNames(z.string().parse(names)), wanted);
    refresh();
    return results;
  }, "names");
}
