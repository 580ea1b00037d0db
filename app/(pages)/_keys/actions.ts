"use server";

import { z } from "zod";
import { findKey } from "@/lib/keys/access";
import { revealData } from "@/lib/keys/data";
import { readChange, updateKey } from "@/lib/keys/update";
import { action } from "../action";
import { id, LARGE } from "./input";

/** The secret of a key that the signed-in user holds. */
export const reveal = action({
  input: id,
  proof: "elsewhere",
  run: (keyId, caller) => revealData(caller, keyId),
});

/** Replaces a key's data. */
export const replaceData = action({
  input: z.object({ keyId: id, data: z.string() }),
  proof: "elsewhere",
  field: "data",
  refreshes: true,
  maxBytes: LARGE,
  run: async ({ keyId, data }, caller) => {
    const row = await findKey(caller, keyId);
    await updateKey(caller, row, readChange({ id: row.id, key: "data", data }));
  },
});
