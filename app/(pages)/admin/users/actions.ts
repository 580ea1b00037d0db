"use server";

import { z } from "zod";
import { setRole } from "@/lib/accounts/identity/role";
import { findUser } from "@/lib/accounts/identity/user";
import { endAllSessions, endSession } from "@/lib/accounts/session/sessions";
import { createInvitation } from "@/lib/accounts/ways-in/invitations";
import { removeAddress } from "@/lib/accounts/ways-in/mail/addresses";
import { removePasskey } from "@/lib/accounts/ways-in/passkeys/remove";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { setDisabledOfMany, setQuotas } from "@/lib/operator/users/update";
import { deleteAccountAs } from "@/lib/user-data/delete";
import { removeToken } from "@/lib/user-data/revoke-token";
import { action } from "../../action";

const text = z.string().max(200);
const role = z.enum(["user", "admin"]);
/** As somebody entered it. Commas and spaces between digits are for people; what is no number, `setQuotas` refuses. */
const quota = text
  .transform((entered) => entered.replace(/[\s,]/g, ""))
  .transform((digits) => (digits === "" ? null : /^\d+$/.test(digits) ? Number(digits) : Number.NaN))
  .optional();
const quotas = z.strictObject({ keys: quota, keyBytes: quota, fileBytes: quota, entries: quota });

/** Disables users, with a result for each. */
export const disable = action({
  who: { operator: "user.disable" },
  input: z.array(text),
  refreshes: true,
  run: (usernames, admin) => setDisabledOfMany(usernames, { disabled: true, actorId: admin.id }),
});

/** Enables users, with a result for each. */
export const enable = action({
  who: { operator: "user.enable" },
  input: z.array(text),
  refreshes: true,
  run: (usernames, admin) => setDisabledOfMany(usernames, { disabled: false, actorId: admin.id }),
});

/** Makes a user an administrator, or takes that role. */
export const changeRole = action({
  who: { operator: "user.role" },
  input: z.object({ username: text, role }),
  refreshes: true,
  run: ({ username, role }, admin) => setRole(username, role, { actorId: admin.id }),
});

/** Gives a user quotas of their own. An empty one: the setting's. */
export const changeQuotas = action({
  who: { operator: "user.quota" },
  input: z.object({ username: text, change: quotas }),
  refreshes: true,
  run: async ({ username, change }, admin) => void (await setQuotas(username, change, { actorId: admin.id })),
});

/** Signs a user out in one browser. */
export const endSessionOf = action({
  who: { operator: "user.signout" },
  input: z.object({ username: text, sessionId: text }),
  refreshes: true,
  run: async ({ username, sessionId }, admin) =>
    endSession((await findUser(username)).id, sessionId, { actorId: admin.id }),
});

/** Signs a user out in every browser. */
export const endSessionsOf = action({
  who: { operator: "user.signout" },
  input: text,
  refreshes: true,
  run: (username, admin) => endAllSessions(username, { actorId: admin.id }),
});

/** Removes a token of a user's program. */
export const removeTokenOf = action({
  who: { operator: "token.revoke" },
  input: z.object({ username: text, id: text }),
  refreshes: true,
  async run({ username, id }, admin) {
    await removeToken((await findUser(username)).id, { id }, { actorId: admin.id });
  },
});

/** Removes a user's passkey. */
export const removePasskeyOf = action({
  who: { operator: "passkey.remove" },
  input: z.object({ username: text, id: text }),
  refreshes: true,
  async run({ username, id }, admin) {
    await removePasskey((await findUser(username)).id, id, { actorId: admin.id });
  },
});

/** Removes a user's e-mail address, verified or not. */
export const removeAddressOf = action({
  who: { operator: "email.remove" },
  input: text,
  refreshes: true,
  run: async (username, admin) => removeAddress((await findUser(username)).id, { actorId: admin.id }),
});

/** Creates a link with which a user sets a new password. */
export const linkToRecover = action({
  who: { operator: "recovery.link" },
  input: text,
  refreshes: true,
  async run(username, admin, { origin }) {
    const { link, expiresAt } = await createRecoveryLink(username, { actorId: admin.id, origin });
    return { link, expiresAt };
  },
});

/** Creates a link with which somebody opens an account. Without a username, they choose one. */
export const invite = action({
  who: { operator: "invitation.create" },
  input: z.object({ username: text.transform((name) => name.trim() || null), role }),
  async run(invited, admin, { origin }) {
    const { link, expiresAt } = await createInvitation(invited, { actorId: admin.id, origin });
    return { link, expiresAt };
  },
});

/** Deletes a user and everything of theirs, after its name was typed. */
export const deleteUser = action({
  who: { operator: "user.delete" },
  input: z.object({ username: text, confirmation: text }),
  run: ({ username, confirmation }, admin) => deleteAccountAs(admin.id, username, { confirmation }),
});
