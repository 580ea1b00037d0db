import type { Metadata } from "next";
import { relyingParty } from "@/lib/accounts/passkeys/relying-party";
import { pageOrigin } from "../../visitor";
import { RecoverByLink } from "./recover-by-link";

export const metadata: Metadata = { title: "Set a new password" };

export default async function RecoverByLinkPage() {
  return <RecoverByLink hasPasskeys={relyingParty(await pageOrigin()) !== null} />;
}
