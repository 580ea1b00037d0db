import type { Metadata } from "next";
import { redirect } from "next/navigation";
import form from "@/components/form.module.css";
import { configuredProviders, storedProvider } from "@/lib/auth/providers";
import { currentUser, pendingIdentity } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { nextPath, type Query, withNext } from "../next-path";
import { ProviderButtons } from "../signin/provider-buttons";
import { SignUpForm } from "./sign-up-form";
import { UsernameForm } from "./username-form";

export const metadata: Metadata = { title: "Sign up" };

export default async function SignUpPage({ searchParams }: { searchParams: Query }) {
  const { next } = await searchParams;
  const target = nextPath(next, "/account");
  if (await currentUser()) redirect(target);

  const signIn = <a href={next === undefined ? "/signin" : withNext("/signin", target)}>Sign in</a>;
  if (!env.ALLOW_SIGNUP) {
    return (
      <div className={form.page}>
        <h1>Signing up is closed</h1>
        <p className={form.lead}>Whoever runs this service can make an account for you. Ask them for one, then come back and sign in.</p>
        <p className={form.lead}>Already have an account? {signIn}</p>
      </div>
    );
  }

  const identity = await pendingIdentity();
  const providerName = configuredProviders().find(({ id }) => storedProvider(id) === identity?.provider)?.name;
  if (providerName) {
    return (
      <div className={form.page}>
        <h1>Choose a username</h1>
        <p className={form.lead}>You are new here. {providerName} will sign you in from now on; programs will know you by this name.</p>
        <UsernameForm target={target} />
      </div>
    );
  }

  return (
    <div className={form.page}>
      <h1>Make an account</h1>
      <p className={form.lead}>A name and a password are enough. Programs will know you by this name.</p>
      <SignUpForm target={target} />
      <ProviderButtons providers={configuredProviders()} target={target} />
      <p className={form.lead}>Already have an account? {signIn}</p>
    </div>
  );
}
