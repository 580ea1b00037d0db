"use client";

import { Button } from "@mantine/core";
import { signIn } from "next-auth/react";
import form from "@/components/form.module.css";
import { withNext } from "../next-path";

/** One button a provider; nothing where none is configured. Who is new to us chooses a username at /signup on the way back. */
export function ProviderButtons({ providers, target }: { providers: { id: string; name: string }[]; target: string }) {
  if (providers.length === 0) return null;
  return (
    <div className={form.form}>
      <p className={form.other}>or</p>
      {providers.map(({ id, name }) => (
        <Button key={id} variant="default" onClick={() => signIn(id, { callbackUrl: withNext("/signup", target) })}>
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
