"use server";

import { z } from "zod";
import { checkUsername } from "@/lib/accounts/create";
import { checkPassword } from "@/lib/accounts/passwords";
import { acceptInvitation, findInvitation, type Invited } from "@/lib/accounts/recovery/invitations";
import { type Outcome, outcome, requestContext, unlessBad } from "../outcome";
import { read } from "../read";

/** What the invitation opens; null if it cannot be used. Changes nothing. */
export async function previewInvitation(secret: string): Promise<Outcome<Invited | null>> {
  return outcome(async () => {
    const invitation = await unlessBad(findInvitation(read(z.string(), secret), await requestContext()));
    return invitation && { username: invitation.username, role: invitation.role };
  });
}

const accountForm = z.object({ username: z.string().trim(), password: z.string() });

/**
 * Opens the account, and returns its name; null if the invitation cannot be used. A refusal names the mistakes of both
 * fields.
 */
export async function createInvitedAccount(
  secret: string,
  username: string,
  password: string,
): Promise<Outcome<{ username: string } | null>> {
  const input = { username: "", password: "" };
  const accepted = await outcome(async () => {
    Object.assign(input, read(accountForm, { username, password }));
    const accepting = acceptInvitation(read(z.string(), secret), input, await requestContext());
    const created = await unlessBad(accepting);
    return created === null ? null : { username: created };
  });
  if (!("error" in accepted) || accepted.field === undefined || input.username === "") return accepted;
  const other = await outcome(() =>
    accepted.field === "username" ? checkPassword(input.password) : checkUsername(input.username),
  );
  return "error" in other ? { ...accepted, other } : accepted;
}
