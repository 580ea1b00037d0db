import type { Page } from "playwright";
import { findUser } from "@/lib/accounts/user";
import { PROOF_MS } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { PASSWORD } from "./visitor";

/** As if everything that proved this user had been ten minutes ago. */
export async function letProofsPass(username: string): Promise<void> {
  const { id: userId } = await findUser(username);
  await db.session.updateMany({
    where: { userId },
    data: { createdAt: new Date(Date.now() - PROOF_MS), provenAt: null },
  });
}

/** The dialog that asks for a proof. */
export const identityDialog = (page: Page) => page.getByRole("dialog", { name: "Confirm it's you" });

/** Confirms with the password. */
export async function confirmOn(page: Page, password = PASSWORD): Promise<void> {
  await identityDialog(page).getByLabel("Your password").fill(password);
  await identityDialog(page).getByRole("button", { name: "Confirm", exact: true }).click();
}
