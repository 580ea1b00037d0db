"use server";

import { findKey } from "@/lib/keys/access";
import { deleteKey } from "@/lib/keys/delete";
import { addHolder } from "@/lib/keys/grant";
import { revokeHolder } from "@/lib/keys/revoke";
import { id, keyAndUser, newHolder } from "../../_keys/input";
import { action } from "../../action";

/** Adds a holder to any key, or changes when an access ends. */
export const addHolderAsAdmin = action({
  who: { operator: "key.add" },
  input: newHolder,
  about: (field) => `The ${field}`,
  field: "username",
  once: "add",
  refreshes: true,
  run: async ({ keyId, ...holder }, admin) => addHolder(admin, await findKey(admin, keyId), holder),
});

/** Revokes any key from a user. */
export const revokeHolderAsAdmin = action({
  who: { operator: "key.revoke" },
  input: keyAndUser,
  refreshes: true,
  run: async ({ keyId, username }, admin) => revokeHolder(admin, await findKey(admin, keyId), username),
});

/** Deletes any key for all its holders. */
export const deleteKeyAsAdmin = action({
  who: { operator: "key.delete" },
  input: id,
  once: "remove",
  run: async (keyId, admin) => deleteKey(admin, await findKey(admin, keyId)),
});
