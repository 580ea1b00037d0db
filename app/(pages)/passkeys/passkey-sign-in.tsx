"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/controls/button";
import form from "@/components/controls/form.module.css";
import { IconFingerprint } from "@/components/frame/icons";
import type { Outcome } from "../action";
import { leaveFor } from "../action-form";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { passkeyFromField, signInWithPasskey, stopOffering, useCanPasskeys } from "./ceremonies";

/** Before the challenge of the offer in the field ends. */
const RENEW_MS = 4 * 60_000;

/**
 * Signs in with a passkey, and goes to `target`: by a button, or by selecting one that the browser offers in the field
 * for the username (which must have autocomplete="username webauthn").
 */
export function PasskeySignIn({ target }: { target: string }) {
  const { run, busy, error } = useAction();
  const [offers, setOffers] = useState(0);
  const pressed = useRef(false);
  const canPasskeys = useCanPasskeys();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each press and each renewal makes a new offer.
  useEffect(() => {
    let isOver = false;
    const renew = setTimeout(() => !pressed.current && setOffers((count) => count + 1), RENEW_MS);
    const mayStart = () => !isOver && !pressed.current;
    passkeyFromField(mayStart).then((finish) => {
      if (finish && mayStart()) enter(finish);
    });
    return () => {
      isOver = true;
      clearTimeout(renew);
    };
  }, [offers]);

  useEffect(() => () => void stopOffering().catch(() => {}), []);

  async function enter(work: () => Promise<Outcome<void>>) {
    pressed.current = true;
    const done = await run(async () => {
      const outcome = await work();
      if (!("error" in outcome)) await leaveFor(target);
      return outcome;
    });
    pressed.current = false;
    if (!done) setOffers((count) => count + 1);
  }

  if (!canPasskeys) return null;
  return (
    <div className={form.form}>
      <ErrorNotice error={error} />
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} />}
        onClick={() => enter(signInWithPasskey)}
        loading={busy}
      >
        Sign in with a passkey
      </Button>
    </div>
  );
}
