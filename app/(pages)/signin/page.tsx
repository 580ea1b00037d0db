import type { Metadata } from "next";
import { redirect } from "next/navigation";
import form from "@/components/form.module.css";
import { configuredProviders } from "@/lib/auth/providers";
import { currentUser } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { nextPath, type Query, withNext } from "../next-path";
import { signInSentence } from "./messages";
import { ProviderButtons } from "./provider-buttons";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const { next, error } = await searchParams;
  const target = nextPath(next, "/");
  if (await currentUser()) redirect(target);
  return (
    <div className={form.page}>
      <h1>Sign in</h1>
      <SignInForm target={target} problem={typeof error === "string" ? signInSentence(error) : ""} />
      <ProviderButtons providers={configuredProviders()} target={target} />
      {env.ALLOW_SIGNUP && (
        <p className={form.lead}>
          New here? <a href={target === "/" ? "/signup" : withNext("/signup", target)}>Make an account</a>
        </p>
      )}
    </div>
  );
}
