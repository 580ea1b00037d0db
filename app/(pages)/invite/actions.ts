"use server";

import { headers } from "next/headers";
import { z } from "zod";
import { checkUsername } from "@/lib/accounts/create";
import { checkPassword } from "@/lib/accounts/passwords";
import { acceptInvitation, findInvitation, type Invited } from "@/lib/accounts/recovery/invitations";
import { clientNetwork } from "@/lib/platform/network/network";
import { type Outcome, outcome, unlessBad } from "../outcome";
import { read } from "../read";

/** What the invitation opens; null if it cannot be used. Changes nothing. */
export async function lookAtInvitation(secret: string): Promise<Outcome<Invited | null>> {
  return outcome(async () => {
    const found = await unlessBad(findInvitation(read(z.string(), secret), clientNetwork(await headers())));
    return found && { username: found.username, role: found.role };
  });
}

/**
 * Opens the account, and returns its name; null if the invitation cannot be used. A refusal names the mistakes of both
 * fields.
 */
export async function takeInvitation(
  secret: string,
  typed: string,
  password: string,
): Promise<Outcome<{ username: string } | null>> {
  const wanted = { secret: "", typed: "", password: "" };
  const taken = await outcome(async () => {
    const fields = z.object({ secret: z.string(), typed: z.string().trim(), password: z.string() });
    Object.assign(wanted, read(fields, { secret, typed, password }));
    const network = clientNetwork(await headers());
    const username = await unlessBad(acceptInvitation(wanted.secret, wanted.typed, wanted.password, network));
    return username === null ? null : { username };
  });
  if (!("error" in taken) || taken.field === undefined || wanted.typed === "") return taken;
  const other = await outcome(() =>
    taken.field === "username" ? checkPassword(wanted.password) : checkUsername(wanted.typed),
  );
  return "error" in other ? { ...taken, other } : taken;
}
