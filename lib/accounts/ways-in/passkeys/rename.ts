import { db } from "@/lib/platform/db/client";
import { invalidParameter } from "@/lib/platform/errors";
import { passkeyNotFound } from "../../errors";
import { isName, NAME_RULE } from "../../identity/names";

/** Gives a user's passkey another name. Returns it. Throws 400 `invalid_parameter` and 404 `passkey_not_found`. */
export async function renamePasskey(userId: string, id: string, input: string): Promise<string> {
  const name = input.trim();
  if (!isName(name)) throw invalidParameter(`The name ${NAME_RULE}.`, "name");
  const { count } = await db.passkey.updateMany({ where: { id, userId }, data: { name } });
  if (count === 0) throw passkeyNotFound();
  return name;
}
