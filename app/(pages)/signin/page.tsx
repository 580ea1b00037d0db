import type { Metadata } from "next";
import { redirect } from "next/navigation";
import form from "@/components/form.module.css";
import { currentUser } from "@/lib/auth/current-user";
import { configuredProviders } from "@/lib/auth/providers";
import { env } from "@/lib/env";
import { relyingParty } from "@/lib/passkeys/relying-party";
import { nextPath, type SearchParams, withNext } from "../next-path";
import { pageOrigin } from "../origin";
import { PasskeySignIn } from "../passkeys/passkey-sign-in";
import { signInSentence } from "./messages";
import { ProviderButtons } from "./provider-buttons";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { next, error } = await searchParams;
  const target = nextPath(next, "/");
  if (await currentUser()) redirect(target);
  return (
    <div className={form.page}>
      <h1>Sign in</h1>
      <SignInForm target={target} problem={typeof error === "string" ? signInSentence(error) : ""} />
      {relyingParty(await pageOrigin()) && <PasskeySignIn target={target} />}
      <p className={form.lead}>
        <a href="/recover">Forgot your password?</a>
      </p>
      <ProviderButtons providers={configuredProviders()} target={target} />
      {env.ALLOW_SIGNUP && (
        <p className={form.lead}>
          New here? <a href={target === "/" ? "/signup" : withNext("/signup", target)}>Create an account</a>
        </p>
      )}
    </div>
  );
}
