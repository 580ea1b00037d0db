import { relyingParty } from "@/lib/accounts/identity/relying-party";
import { pageOrigin } from "../../visitor";
import { RecoverByLink } from "../recover-forms";

export const metadata = { title: "Set a new password" };

export default async function RecoverByLinkPage() {
  return <RecoverByLink hasPasskeys={relyingParty(await pageOrigin()) !== null} />;
}
