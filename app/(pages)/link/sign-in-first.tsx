import form from "@/components/form.module.css";
import { CodePlate } from "@/components/link/code-plate";
import { configuredProviders } from "@/lib/auth/providers";
import { env } from "@/lib/env";
import { ProviderButtons } from "../signin/provider-buttons";
import { SignInForm } from "../signin/sign-in-form";
import { EnterAnother } from "./enter-another";
import styles from "./page.module.css";

/** Asks who it is, while the code waits. */
export function SignInFirst({ letters }: { letters: string }) {
  return (
    <div className={form.page}>
      <div className={styles.head}>
        <h1>Sign in to go on</h1>
        <p className={form.lead}>Your code is kept meanwhile.</p>
      </div>
      <CodePlate letters={letters} />
      <SignInForm target="/link" problem="" />
      <ProviderButtons providers={configuredProviders()} target="/link" />
      {env.ALLOW_SIGNUP && (
        <p className={form.lead}>
          New here? <a href="/signup?next=/link">Make an account</a>
        </p>
      )}
      <EnterAnother>Enter another code</EnterAnother>
    </div>
  );
}
