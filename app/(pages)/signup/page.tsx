import { redirect } from "next/navigation";
import { MessagePage } from "@/components/page";
import form from "@/components/page.module.css";
import { relyingParty } from "@/lib/accounts/identity/relying-party";
import { currentUser } from "@/lib/accounts/session/current-user";
import { pendingIdentity } from "@/lib/accounts/ways-in/connect";
import { configuredProviders, storedProvider } from "@/lib/accounts/ways-in/providers";
import { env } from "@/lib/platform/env";
import { ProviderButtons } from "../_signing-in/sign-in-form";
import { SignUpForm, UsernameForm } from "../_signing-in/sign-up-form";
import { nextPath, type SearchParams, withNext } from "../next-path";
import { pageOrigin } from "../visitor";

export const metadata = { title: "Sign up" };

export default async function SignUpPage({ searchParams }: { searchParams: SearchParams }) {
  const { next } = await searchParams;
  const destination = nextPath(next, "/");
  if (await currentUser()) redirect(destination);

  const signIn = <a href={withNext("/signin", destination)}>Sign in</a>;
  if (!env.ALLOW_SIGNUP) {
    return (
      <MessagePage
        title="Sign-up is closed"
        text="Ask the operator of this service for an account, then come back and sign in."
      >
        <p className="soft">Already have an account? {signIn}</p>
      </MessagePage>
    );
  }

  const target = destination === "/" ? "/account?welcome" : destination;
  const identity = await pendingIdentity();
  const provider = configuredProviders().find(({ id }) => storedProvider(id) === identity?.provider);
  if (provider) {
    return (
      <div className={form.page}>
        <h1>Choose a username</h1>
        <p className="soft">
          You're new here. From now on, you'll sign in with <span translate="no">{provider.name}</span>. Programs will
          know you by this username.
        </p>
        <UsernameForm target={target} accountId={identity?.accountId ?? ""} />
      </div>
    );
  }

  const hasPasskeys = relyingParty(await pageOrigin()) !== null;
  return (
    <div className={form.page}>
      <h1>Sign up</h1>
      <p className="soft">
        All you need is a username and a password<span>{hasPasskeys && " or passkey"}</span>. Programs will know you by
        this username.
        <span>{destination.startsWith("/claim") && " Then you can accept the key."}</span>
      </p>
      <SignUpForm target={target} hasPasskeys={hasPasskeys} />
      <ProviderButtons providers={configuredProviders()} target={destination} />
      <p className="soft">Already have an account? {signIn}</p>
    </div>
  );
}
