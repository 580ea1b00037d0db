import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { z } from "zod";
import { OPERATOR } from "@/lib/audit";
import { env } from "@/lib/env";
import { keyNotFound } from "@/lib/errors";
import { createClaimLinks, wantedLinks } from "@/lib/keys/claims/create";
import { claimsCsv } from "@/lib/keys/claims/csv";
import { creatorOf } from "@/lib/keys/creator";
import { findKey } from "@/lib/keys/find";
import { answering, command } from "../command";

export const claimCommands = [
  command(
    "claim:create",
    "Create links with which people get a key, as CSV",
    "claim:create 9f0c1f6be2a94d2c8a35c2f7d0b1e6a4 --links 500 --days 365 --note Spring > links.csv",
  )
    .description(
      "Create links with which people get a key, on behalf of its creator. Prints them as CSV, once: only hashes are " +
        "stored.",
    )
    .argument("<key>", "The key's id")
    .option("--links <n>", "How many links, up to 10000", number("links"), 1)
    .option("--people <n>", "How many people can claim with each link", number("most"), 1)
    .option("--days <n>", "Days that access lasts after claiming; without it, access has no end", number("days"))
    .option("--open-days <n>", "Days that the links can be used", number("openDays"), 365)
    .option("--note <text>", "For the key's creator, up to 100 characters", note, "")
    .action(
      answering(async (keyId, { links, people, days, openDays, note }) => {
        if (!env.NEXTAUTH_URL)
          throw new Error("NEXTAUTH_URL must be set to make links: the address that people open. Nothing was changed.");
        const creator = await creatorOf(keyId);
        if (!creator) throw keyNotFound();
        const wanted = { links, most: people, days: days ?? null, openDays, note };
        const row = await findKey(creator, keyId);
        const made = await createClaimLinks(creator, row, wanted, { origin: env.NEXTAUTH_URL, actorId: OPERATOR });
        process.stdout.write(claimsCsv(made, note));
        return undefined;
      }),
    ),
];

function number(field: "links" | "most" | "days" | "openDays") {
  return (written: string): number => Number(checked(wantedLinks.shape[field], written));
}

function note(written: string): string {
  return checked(wantedLinks.shape.note, written);
}

function checked<Value>(field: z.ZodType<Value>, written: string): Value {
  const parsed = field.safeParse(written);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`It ${parsed.error.issues[0]?.message}.`);
}
