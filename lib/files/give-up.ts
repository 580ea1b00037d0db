import { log } from "@/lib/log";
import { discardDraft } from "./draft";
import { removeDraft } from "./sweep";

/** Gives a draft up. What cannot be removed now, the sweep removes later; why the write failed is what its caller must hear. */
export async function giveUp(draftId: string): Promise<void> {
  try {
    await discardDraft(draftId);
    await removeDraft(draftId);
  } catch (error) {
    log.warn({ err: error }, "a write that failed leaves pieces for the sweep");
  }
}
