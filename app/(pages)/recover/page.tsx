import type { Metadata } from "next";
import form from "@/components/form.module.css";
import { env } from "@/lib/env";
import { hasMail } from "@/lib/mail/transport";
import { Operator } from "../operator";
import { RecoverByCode } from "./recover-by-code";
import { RecoverByEmail } from "./recover-by-email";

export const metadata: Metadata = { title: "Forgot your password?" };

export default function RecoverPage() {
  return (
    <div className={form.page}>
      <h1>Forgot your password?</h1>
      {hasMail() && (
        <>
          <p className={form.lead}>Get a link by e-mail, if your account has a verified address.</p>
          <RecoverByEmail />
          <p className={form.other}>or</p>
        </>
      )}
      <p className={form.lead}>Set a new one with one of your recovery codes. All browsers will be signed out.</p>
      <RecoverByCode />
      <p className={form.lead}>
        No recovery code? Ask <Operator contact={env.CONTACT} /> for a link to set a new password.
      </p>
    </div>
  );
}
