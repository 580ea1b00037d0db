import form from "@/components/controls/form.module.css";
import { Plate } from "@/components/frame/code-display";
import { relyingParty } from "@/lib/accounts/passkeys/relying-party";
import { configuredProviders } from "@/lib/accounts/providers";
import type { Ticket } from "@/lib/link/approve";
import { env } from "@/lib/platform/env";
import { siteOf } from "@/lib/platform/user-agent";
import { PasskeySignIn } from "../passkeys/passkey-sign-in";
import { ProviderButtons, SignInForm, SignUpFormIfNew } from "../signin/sign-in-form";
import { pageOrigin } from "../visitor";
import { addressOf } from "./address";
import { EnterAnother } from "./code-form";
import styles from "./page.module.css";

/** Asks the user to sign in, or to sign up if `isNew`, while the code waits. */
export async function SignInFirst({ ticket: { id, code, opener }, isNew }: { ticket: Ticket; isNew: boolean }) {
  const target = addressOf(id);
  const hasPasskeys = relyingParty(await pageOrigin()) !== null;
  return (
    <div className={form.page}>
      <div className={styles.head}>
        <h1 className={styles.asking}>
          <span>{isNew ? "Sign up to continue" : "Sign in to continue"}</span>
          {opener !== undefined && (
            <>
              <span> to </span>
              <strong translate="no">{siteOf(opener)}</strong>
            </>
          )}
        </h1>
        {opener === undefined && (
          <p className={form.lead}>{`We'll keep your code while you sign ${isNew ? "up" : "in"}.`}</p>
        )}
      </div>
      {opener === undefined && <Plate code={code} />}
      {isNew ? (
        <SignUpFormIfNew target={target} hasPasskeys={hasPasskeys} />
      ) : (
        <>
          <SignInForm target={target} problem="" />
          {hasPasskeys && <PasskeySignIn target={target} />}
          <p className={form.lead}>
            <a href="/recover">Forgot your password?</a>
          </p>
        </>
      )}
      <ProviderButtons providers={configuredProviders()} target={target} />
      {isNew ? (
        <p className={form.lead}>
          Already have an account? <a href={target}>Sign in</a>
        </p>
      ) : (
        env.ALLOW_SIGNUP && (
          <p className={form.lead}>
            New here? <a href={`${target}&new`}>Sign up</a>
          </p>
        )
      )}
      {opener === undefined && <EnterAnother ticketId={id}>Enter another code</EnterAnother>}
    </div>
  );
}
