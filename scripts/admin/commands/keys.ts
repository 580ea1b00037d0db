import { pipeline } from "node:stream/promises";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { z } from "zod";
import { NEEDS_ADDRESS } from "@/lib/accounts/ways-in/one-time-link";
import { creatorOf, findKey } from "@/lib/keys/access";
import { claimLinkOptions, claimsCsv, createClaimLinks } from "@/lib/keys/claims/create";
import { deleteKey } from "@/lib/keys/delete";
import { keyNotFound } from "@/lib/keys/errors";
import { addHolder } from "@/lib/keys/grant";
import { keyFacts } from "@/lib/keys/operator";
import { revokeHolder } from "@/lib/keys/revoke";
import { type AccessEnd, until } from "@/lib/keys/until";
import { AS_OPERATOR } from "@/lib/operator/access";
import { OPERATOR } from "@/lib/platform/audit";
import { env } from "@/lib/platform/env";
import { plainAtTerminal } from "@/lib/platform/safe-text";
import { command, commandAction } from "../command";
import { agrees, isAtTerminal, UNCHANGED } from "../terminal";

const ID = "The key's id: 32 hexadecimal digits";
const NAME = "The username, in upper or lower case";

export const keyCommands = [
  command("key:show", "Show a key without its data", "key:show 0123456789abcdef0123456789abcdef")
    .description("Show a key's name, price, size, creator and number of holders, never its data.")
    .argument("<id>", ID)
    .action(
      commandAction(async (id) => {
        const facts = await keyFacts(id);
        if (!facts) throw keyNotFound();
        const { creatorId: _, ...shown } = facts;
        return shown;
      }),
    ),
  command("key:add", "Add a holder to a key", "key:add 0123456789abcdef0123456789abcdef alice")
    .argument("<id>", ID)
    .argument("<user>", NAME)
    .option("--until <time>", "When the access ends: 2026-12-31T18:00Z, Unix seconds, or never", accessEnd)
    .description(
      "Add a holder to a key, or change when a holder's access ends. Without --until, new access never expires, " +
        "and existing access stays as it is.",
    )
    .action(
      commandAction(async (id, user, { until: end }) =>
        addHolder(AS_OPERATOR, await findKey(AS_OPERATOR, id), { username: user, end }),
      ),
    ),
  command("key:revoke", "Revoke a key from a holder", "key:revoke 0123456789abcdef0123456789abcdef alice")
    .argument("<id>", ID)
    .argument("<user>", NAME)
    .action(commandAction(async (id, user) => revokeHolder(AS_OPERATOR, await findKey(AS_OPERATOR, id), user))),
  command("key:delete", "Delete a key for all its holders", "key:delete 0123456789abcdef0123456789abcdef")
    .description("Delete a key for all its holders. This cannot be undone. At a terminal, asks first.")
    .argument("<id>", ID)
    .option("--yes", "Do not ask for confirmation")
    .action(
      commandAction(async (id, { yes }) => {
        const row = await findKey(AS_OPERATOR, id);
        if (!yes && isAtTerminal() && !(await agrees(`Delete the key ${JSON.stringify(row.name)} of ${row.creator}?`)))
          throw new Error(UNCHANGED);
        await deleteKey(AS_OPERATOR, row);
        return { deleted: row.id };
      }),
    ),
];

function accessEnd(written: string): AccessEnd {
  return checked(until, written);
}

export const claimCommands = [
  command(
    "claim:create",
    "Create claim links for a key, as CSV",
    "claim:create 9f0c1f6be2a94d2c8a35c2f7d0b1e6a4 --links 500 --days 365 --note Spring > links.csv",
  )
    .description(
      "Create claim links for a key, on behalf of its creator. Prints them as CSV, once: only hashes are stored.",
    )
    .argument("<key>", "The key's id")
    .option("--links <n>", "How many links, up to 10000", number("links"), 1)
    .option("--people <n>", "How many people can claim with each link", number("most"), 1)
    .option("--days <n>", "Days that access lasts after claiming; without it, access never expires", number("days"))
    .option("--open-days <n>", "Days until the links expire", number("openDays"), 365)
    .option("--note <text>", "For the key's creator, up to 100 characters", note, "")
    .action(
      commandAction(async (keyId, { links, people, days, openDays, note }) => {
        if (!env.NEXTAUTH_URL) throw new Error(NEEDS_ADDRESS);
        const creator = await creatorOf(keyId);
        if (!creator) throw keyNotFound();
        const options = { links, most: people, days: days ?? null, openDays, note };
        const row = await findKey(creator, keyId);
        const created = await createClaimLinks(creator, row, {
          ...options,
          origin: env.NEXTAUTH_URL,
          actorId: OPERATOR,
        });
        await pipeline(plainAtTerminal([claimsCsv(created, note)], process.stdout), process.stdout, { end: false });
        return undefined;
      }),
    ),
];

function number(field: "links" | "most" | "days" | "openDays") {
  return (written: string): number => Number(checked(claimLinkOptions.shape[field], written));
}

function note(written: string): string {
  return checked(claimLinkOptions.shape.note, written);
}

function checked<Value>(field: z.ZodType<Value>, written: string): Value {
  const parsed = field.safeParse(written);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`It ${parsed.error.issues[0]?.message}.`);
}
