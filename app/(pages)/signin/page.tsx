import { redirect } from "next/navigation";
import { LinkButton } from "@/components/buttons";
import { Notice } from "@/components/feedback";
import form from "@/components/page.module.css";
import { relyingParty } from "@/lib/accounts/identity/relying-party";
import { currentUser } from "@/lib/accounts/session/current-user";
import { configuredProviders } from "@/lib/accounts/ways-in/providers";
import { env } from "@/lib/platform/env";
import { PasskeySignIn } from "../_signing-in/passkey-buttons";
import { signInSentence } from "../_signing-in/sentences";
import { ProviderButtons, SignInForm } from "../_signing-in/sign-in-form";
import { nextPath, type SearchParams, withNext } from "../next-path";
import { pageOrigin } from "../visitor";

export const metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { next, error } = await searchParams;
  const target = nextPath(next, "/");
  const user = await currentUser();
  const problem = typeof error === "string" ? signInSentence(error) : "";
  if (user && !problem) redirect(target);
  // They tried to connect a provider, or to confirm with one.
  if (user)
    return (
      <div className={form.page}>
        <h1>Nothing has changed</h1>
        <Notice kind="error">{problem}</Notice>
        <p className="soft">
          You're still signed in as <strong>{user.username}</strong>.
        </p>
        <LinkButton href={target} fullWidth>
          Continue
        </LinkButton>
      </div>
    );
  return (
    <div className={form.page}>
      <h1>Sign in</h1>
      <SignInForm target={target} problem={problem} />
      {relyingParty(await pageOrigin()) && <PasskeySignIn target={target} />}
      <p className="soft">
        <a href="/recover">Forgot your password?</a>
      </p>
      <ProviderButtons providers={configuredProviders()} target={target} />
      {env.ALLOW_SIGNUP && (
        <p className="soft">
          New here? <a href={withNext("/signup", target)}>Sign up</a>
        </p>
      )}
    </div>
  );
}
