"use client";

import { authClient } from "@/components/auth-client";
import { Button } from "@/components/button";
import form from "@/components/form.module.css";
import { withNext } from "../next-path";

/**
 * One button per provider; nothing if none is configured. New users select a username at /signup when they come back.
 */
export function ProviderButtons({ providers, target }: { providers: { id: string; name: string }[]; target: string }) {
  if (providers.length === 0) return null;
  const signIn = async (id: string) => (await authClient()).signIn(id, { callbackUrl: withNext("/signup", target) });
  return (
    <div className={form.form}>
      <p className={form.other}>or</p>
      {providers.map(({ id, name }) => (
        <Button key={id} variant="default" onClick={() => signIn(id)}>
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
