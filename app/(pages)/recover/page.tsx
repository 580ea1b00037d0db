import form from "@/components/page.module.css";
import { relyingParty } from "@/lib/accounts/identity/relying-party";
import { hasMail } from "@/lib/accounts/ways-in/mail/transport";
import { env } from "@/lib/platform/env";
import { pageOrigin } from "../visitor";
import { RecoverByCode, RecoverByEmail } from "./recover-forms";

export const metadata = { title: "Forgot your password?" };

export default async function RecoverPage() {
  return (
    <RecoverByCode hasPasskeys={relyingParty(await pageOrigin()) !== null} contact={env.CONTACT}>
      {hasMail() && (
        <>
          <p className="soft">Get a link by e-mail, if your account has a verified address.</p>
          <RecoverByEmail />
          <p className={form.other}>or</p>
        </>
      )}
    </RecoverByCode>
  );
}
