"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { removeToken } from "@/lib/accounts/access-tokens/list";
import { removeAddress } from "@/lib/accounts/mail/addresses";
import { removePasskey } from "@/lib/accounts/passkeys/change";
import { createInvitation } from "@/lib/accounts/recovery/invitations";
import { createRecoveryLink } from "@/lib/accounts/recovery/links";
import { setRole } from "@/lib/accounts/role";
import { endAllSessions, endSession } from "@/lib/accounts/sessions";
import { findUser } from "@/lib/accounts/user";
import { type ForOne, setDisabledOfMany, setQuotas } from "@/lib/operator/users/update";
import { deleteAccountAs } from "@/lib/user-data/delete";
import type { Outcome } from "../../outcome";
import { pageOrigin } from "../../outcome";
import { read } from "../../read";
import { consoleAction } from "../console-request";
import type { NewLink } from "./shown-link";

const text = z.string().max(200);
const role = z.enum(["user", "admin"]);
const quota = z.number().nullable().optional();
const quotas = z.strictObject({ keys: quota, keyBytes: quota, fileBytes: quota, entries: quota });

/** Disables or enables users, with a result for each. */
export async function setAccess(usernames: string[], disabled: boolean): Promise<Outcome<ForOne[]>> {
  return consoleAction(disabled ? "user.disable" : "user.enable", async (admin) => {
    const results = await setDisabledOfMany(read(z.array(text), usernames), {
      disabled: read(z.boolean(), disabled),
      actorId: admin.id,
    });
    refresh();
    return results;
  });
}

/** Makes a user an administrator, or takes that role. */
export async function changeRole(username: string, next: "user" | "admin"): Promise<Outcome<void>> {
  return consoleAction("user.role", async (admin) => {
    await setRole(read(text, username), read(role, next), { actorId: admin.id });
    refresh();
  });
}

/** Gives a user quotas of their own. Null: the setting's. */
export async function changeQuotas(username: string, change: z.infer<typeof quotas>): Promise<Outcome<void>> {
  return consoleAction("user.quota", async (admin) => {
    await setQuotas(read(text, username), read(quotas, change), { actorId: admin.id });
    refresh();
  });
}

/** Signs a user out in one browser. */
export async function endSessionOf(username: string, sessionId: string): Promise<Outcome<void>> {
  return consoleAction("user.signout", async (admin) => {
    await endSession((await findUser(read(text, username))).id, read(text, sessionId), { actorId: admin.id });
    refresh();
  });
}

/** Signs a user out in every browser. */
export async function endSessionsOf(username: string): Promise<Outcome<void>> {
  return consoleAction("user.signout", async (admin) => {
    await endAllSessions(read(text, username), { actorId: admin.id });
    refresh();
  });
}

/** Removes a token of a user's program. */
export async function removeTokenOf(username: string, id: string): Promise<Outcome<void>> {
  return consoleAction("token.revoke", async (admin) => {
    await removeToken((await findUser(read(text, username))).id, { id: read(text, id) }, { actorId: admin.id });
    refresh();
  });
}

/** Removes a user's passkey. */
export async function removePasskeyOf(username: string, id: string): Promise<Outcome<void>> {
  return consoleAction("passkey.remove", async (admin) => {
    await removePasskey((await findUser(read(text, username))).id, read(text, id), { actorId: admin.id });
    refresh();
  });
}

/** Removes a user's e-mail address, verified or not. */
export async function removeAddressOf(username: string): Promise<Outcome<void>> {
  return consoleAction("email.remove", async (admin) => {
    await removeAddress((await findUser(read(text, username))).id, { actorId: admin.id });
    refresh();
  });
}

/** Creates a link with which a user sets a new password. */
export async function linkToRecover(username: string): Promise<Outcome<NewLink>> {
  return consoleAction("recovery.link", async (admin) => {
    const { link, expiresAt } = await createRecoveryLink(read(text, username), {
      actorId: admin.id,
      origin: await pageOrigin(),
    });
    refresh();
    return { link, expiresAt };
  });
}

/** Creates a link with which somebody opens an account. */
export async function invite(username: string | null, newRole: "user" | "admin"): Promise<Outcome<NewLink>> {
  return consoleAction("invitation.create", async (admin) => {
    const invited = { username: read(text.nullable(), username), role: read(role, newRole) };
    const { link, expiresAt } = await createInvitation(invited, { actorId: admin.id, origin: await pageOrigin() });
    return { link, expiresAt };
  });
}

/** Deletes a user and everything of theirs, after its name was typed. */
export async function deleteUser(username: string, confirmation: string): Promise<Outcome<{ username: string }>> {
  return consoleAction("user.delete", async (admin) =>
    deleteAccountAs(admin.id, read(text, username), { confirmation: read(text, confirmation) }),
  );
}
