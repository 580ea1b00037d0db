"use server";

import { rotateSigning } from "@/lib/operator/rotate";
import { action } from "../../action";

/** Creates a signing key, and returns its number. */
export const createSigningKey = action({
  who: { operator: "signing.rotate" },
  run: (_, { id }) => rotateSigning(id),
});
