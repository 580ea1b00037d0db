"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { changeHolders, type NameResult, readNames } from "@/lib/keys/grant";
import { actorHere, type Outcome, outcome } from "../outcome";
import { read } from "../read";
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
    const wanted =
      read(z.enum(["add", "revoke"]), change) === "add"
        ? { adds: true as const, end: until }
        : { adds: false as const };
    const results = await changeHolders(caller, readId(keyId), readNames(read(z.string(), names)), wanted);
    refresh();
    return results;
  }, "names");
}
