"use client";

import { useRouter } from "next/navigation";
import { useContext, useEffect, useRef } from "react";
import { Button } from "@/components/controls/button";
import { Actions, MessagePage } from "@/components/frame/panel";
import type { WaysToConfirm } from "@/lib/accounts/confirm";
import { durationInWords, PROOF_MS } from "@/lib/platform/bounds";
import { AskIdentityContext } from "../use-action";

/** Asks an administrator to confirm who they are, then shows the page that they opened. */
export function ConfirmFirst({ ways }: { ways: WaysToConfirm }) {
  const ask = useContext(AskIdentityContext);
  const router = useRouter();
  const asked = useRef(false);

  async function confirm() {
    if (await ask(ways)) router.refresh();
  }

  // At once, because nobody opens the console for this page.
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void confirm();
  });

  return (
    <MessagePage
      title="Confirm it's you"
      text={`The operator's console asks again ${durationInWords(PROOF_MS / 1_000)} after the last time.`}
    >
      <Actions>
        <Button onClick={confirm}>Confirm</Button>
      </Actions>
    </MessagePage>
  );
}
