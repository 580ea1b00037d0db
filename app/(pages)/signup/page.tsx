import type { Metadata } from "next";
import { redirect } from "next/navigation";
import form from "@/components/controls/form.module.css";
import { currentUser, pendingIdentity } from "@/lib/accounts/current-user";
import { relyingParty } from "@/lib/accounts/passkeys/relying-party";
import { configuredProviders, storedProvider } from "@/lib/accounts/providers";
import { env } from "@/lib/platform/env";
import { nextPath, type SearchParams, withNext } from "../next-path";
import { ProviderButtons } from "../signin/sign-in-form";
import { pageOrigin } from "../visitor";
import { SignUpForm, UsernameForm } from "./sign-up-form";

export const metadata: Metadata = { title: "Sign up" };

export default async function SignUpPage({ searchParams }: { searchParams: SearchParams }) {
  const { next } = await searchParams;
  const destination = nextPath(next, "/");
  if (await currentUser()) redirect(destination);

  const signIn = <a href={withNext("/signin", destination)}>Sign in</a>;
  if (!env.ALLOW_SIGNUP) {
    return (
      <div className={form.page}>
        <h1>Sign-up is closed</h1>
        <p className={form.lead}>Ask the operator of this service for an account, then come back and sign in.</p>
        <p className={form.lead}>Already have an account? {signIn}</p>
      </div>
    );
  }

  const target = destination === "/" ? "/account?welcome" : destination;
  const identity = await pendingIdentity();
  const provider = configuredProviders().find(({ id }) => storedProvider(id) === identity?.provider);
  if (provider) {
    return (
      <div className={form.page}>
        <h1>Choose a username</h1>
        <p className={form.lead}>
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
      <p className={form.lead}>
        All you need is a username and a password<span>{hasPasskeys && " or passkey"}</span>. Programs will know you by
        this username.
        <span>{destination.startsWith("/claim") && " Then you can accept the key."}</span>
      </p>
      <SignUpForm target={target} hasPasskeys={hasPasskeys} />
      <ProviderButtons providers={configuredProviders()} target={destination} />
      <p className={form.lead}>Already have an account? {signIn}</p>
    </div>
  );
}
