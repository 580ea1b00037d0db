import { z } from "zod";
import { checkUsername } from "@/lib/accounts/create";
import { checkPassword } from "@/lib/accounts/passwords";

/** What a person enters to open an account with a password. */
export const accountForm = z.object({ username: z.string().trim(), password: z.string() });

/** Throws what is wrong with the field beside the refused one. */
export async function checkOtherField(
  { username, password }: z.output<typeof accountForm>,
  refused: string,
): Promise<void> {
  await (refused === "username" ? checkPassword(password) : checkUsername(username));
}
