"use server";

import { refresh } from "next/cache";
import { findKey } from "@/lib/keys/access";
import { deleteKey } from "@/lib/keys/delete";
import { type Added, addHolder } from "@/lib/keys/grant";
import { revokeHolder } from "@/lib/keys/revoke";
import { once } from "@/lib/platform/requests/results";
import { type NewHolder, readHolder, readId, readUsername } from "../../keys/read";
import { inRequest, type Outcome } from "../../outcome";
import { consoleAction } from "../console-request";

type Revoked = Awaited<ReturnType<typeof revokeHolder>>;

/** Adds a holder to any key, or changes when an access ends. */
export async function addHolderAsAdmin(keyId: string, holder: NewHolder, request: string): Promise<Outcome<Added>> {
  return consoleAction(
    "key.add",
    async (admin) => {
      const [id, added] = [readId(keyId), readHolder(holder)];
      const caller = inRequest(admin, request, ["add", id, added]);
      const { result } = await once(caller, async () => addHolder(caller, await findKey(caller, id), added));
      refresh();
      return result;
    },
    "username",
  );
}

/** Revokes any key from a user. */
export async function revokeHolderAsAdmin(keyId: string, username: string): Promise<Outcome<Revoked>> {
  return consoleAction("key.revoke", async (admin) => {
    const result = await revokeHolder(admin, await findKey(admin, readId(keyId)), readUsername(username));
    refresh();
    return result;
  });
}

/** Deletes any key for all its holders. */
export async function deleteKeyAsAdmin(keyId: string, request: string): Promise<Outcome<void>> {
  return consoleAction("key.delete", async (admin) => {
    const id = readId(keyId);
    const caller = inRequest(admin, request, ["remove", id]);
    await once(caller, async () => deleteKey(caller, await findKey(caller, id)));
  });
}
