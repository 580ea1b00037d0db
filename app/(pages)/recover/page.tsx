import type { Metadata } from "next";
import { env } from "@/lib/env";
import { relyingParty } from "@/lib/passkeys/relying-party";
import { pageOrigin } from "../origin";
import { RecoverByCode } from "./recover-by-code";

export const metadata: Metadata = { title: "Forgot your password?" };

export default async function RecoverPage() {
  return <RecoverByCode hasPasskeys={relyingParty(await pageOrigin()) !== null} contact={env.CONTACT} />;
}
