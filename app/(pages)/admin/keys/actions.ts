"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { userNotFound } from "@/lib/errors";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { USERNAME } from "@/lib/usernames";
import type { Outcome } from "../../outcome";
import { consoleAction } from "../console-action";

type Added = Awaited<ReturnType<typeof addHolder>>;
type Revoked = Awaited<ReturnType<typeof revokeHolder>>;

/** Adds a holder to any key. */
export async function addHolderAsAdmin(keyId: string, username: string): Promise<Outcome<Added>> {
  return consoleAction(
    "key.add",
    async (admin) => {
      const answer = await addHolder(admin, await findKey(admin, readId(keyId)), readUsername(username));
      refresh();
      return answer;
    },
    "username",
  );
}

/** Revokes any key from a user. */
export async function revokeHolderAsAdmin(keyId: string, username: string): Promise<Outcome<Revoked>> {
  return consoleAction("key.revoke", async (admin) => {
    const answer = await revokeHolder(admin, await findKey(admin, readId(keyId)), readUsername(username));
    refresh();
    return answer;
  });
}

/** Deletes any key for all its holders. */
export async function deleteKeyAsAdmin(keyId: string): Promise<Outcome<void>> {
  return consoleAction("key.delete", async (admin) => {
    await deleteKey(admin, await findKey(admin, readId(keyId)));
  });
}

function readId(sent: unknown): string {
  return z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .parse(sent);
}

function readUsername(sent: unknown): string {
  const name = z.string().parse(sent).trim();
  if (!USERNAME.test(name)) throw userNotFound();
  return name;
}
