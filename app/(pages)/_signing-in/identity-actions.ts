"use server";

import { z } from "zod";
import { provePassword } from "@/lib/accounts/ways-in/confirm";
import { action } from "../action";

/** Confirms with the password that the signed-in user is here. */
export const confirmWithPassword = action({
  input: z.string(),
  run: async (password, user, { network }) => void (await provePassword(user, password, { network })),
});

/** Whether an upload may replace files: for the page to ask for a proof before, if one is needed. */
export const mayReplace = action({ proof: "elsewhere", run: async () => {} });

/** Called before what needs a proof but is no action: a download, or an import. */
export const prove = action({ proof: "recent", run: async () => {} });
