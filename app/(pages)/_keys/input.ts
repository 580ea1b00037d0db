import { z } from "zod";
import { userNotFound } from "@/lib/accounts/errors";
import { USERNAME } from "@/lib/accounts/identity/user";
import { until } from "@/lib/keys/until";
import { read } from "../action";

/** Bytes of a call with a key's data, or many names, all of whose letters may be escaped. */
export const LARGE = 400 * 1_024;

const hex = z.string().regex(/^[0-9a-f]{32}$/);

/** Refused as `read` does also among what a person typed: no field of a form could show it. */
export const id = z.custom<string>().transform((input) => read(hex, input));

/** Keys that can be left in one request. */
const MAX_LEFT = 1_000;

export const ids = z.array(id).max(MAX_LEFT);

/** Throws 404 `user_not_found` for what cannot be one. */
export const existingName = z
  .string()
  .trim()
  .transform((name) => {
    if (!USERNAME.test(name)) throw userNotFound();
    return name;
  });

/** Who shall hold a key. Without an end, a new holder's access has none. */
export const newHolder = z.object({ keyId: id, username: existingName, end: until.optional() });
export type NewHolder = z.input<typeof newHolder>;

export const keyAndUser = z.object({ keyId: id, username: existingName });

/** The whole number of an optional field; undefined if it is empty. */
export const optionalNumber = z
  .string()
  .trim()
  .regex(/^([1-9]\d{0,5})?$/, "must be a whole number")
  .transform((text) => (text === "" ? undefined : Number(text)));
