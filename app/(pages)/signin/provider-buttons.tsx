"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import form from "@/components/form.module.css";
import { ErrorNotice } from "../error-notice";
import { withNext } from "../next-path";
import { useAction } from "../use-action";
import { goToProvider } from "./go-to-provider";

/**
 * One button per provider; nothing if none is configured. New users select a username at /signup when they come back.
 */
export function ProviderButtons({ providers, target }: { providers: { id: string; name: string }[]; target: string }) {
  const { run, busy, error } = useAction();
  const [pressed, setPressed] = useState("");
  if (providers.length === 0) return null;

  function leave(id: string) {
    setPressed(id);
    return run(() => goToProvider(id, withNext("/signup", target)));
  }

  return (
    <div className={form.form}>
      <p className={form.other}>or</p>
      <ErrorNotice error={error} />
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          onClick={() => leave(id)}
          loading={busy && pressed === id}
          disabled={busy && pressed !== id}
        >
          {`Continue with ${name}`}
        </Button>
      ))}
    </div>
  );
}
