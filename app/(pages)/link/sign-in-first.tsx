import form from "@/components/controls/form.module.css";
import { relyingParty } from "@/lib/accounts/passkeys/relying-party";
import { configuredProviders } from "@/lib/accounts/providers";
import type { Ticket } from "@/lib/link/approve";
import { env } from "@/lib/platform/env";
import { withNext } from "../next-path";
import { pageOrigin } from "../outcome";
import { PasskeySignIn } from "../passkeys/passkey-sign-in";
import { ProviderButtons, SignInForm } from "../signin/sign-in-form";
import { addressOf } from "./address";
import { EnterAnother } from "./code-form";
import { CodePlate } from "./countdown";
import styles from "./page.module.css";

/** Asks the user to sign in, while the code waits. */
export async function SignInFirst({ ticket: { id, code } }: { ticket: Ticket }) {
  const target = addressOf(id);
  return (
    <div className={form.page}>
      <div className={styles.head}>
        <h1>Sign in to continue</h1>
        <p className={form.lead}>We'll keep your code while you sign in.</p>
      </div>
      <CodePlate code={code} />
      <SignInForm target={target} problem="" />
      {relyingParty(await pageOrigin()) && <PasskeySignIn target={target} />}
      <ProviderButtons providers={configuredProviders()} target={target} />
      {env.ALLOW_SIGNUP && (
        <p className={form.lead}>
          New here? <a href={withNext("/signup", target)}>Create an account</a>
        </p>
      )}
      <EnterAnother ticketId={id}>Enter another code</EnterAnother>
    </div>
  );
}
