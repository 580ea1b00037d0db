"use client";

import { useRouter } from "next/navigation";
import { useContext, useEffect, useRef } from "react";
import { Button } from "@/components/buttons";
import { Actions, MessagePage } from "@/components/page";
import type { ConfirmationMethods } from "@/lib/accounts/ways-in/confirm";
import { durationInWords, PROOF_MS } from "@/lib/platform/bounds";
import { ConfirmIdentityContext } from "../use-action";

/** Asks an administrator to confirm who they are, then shows the page that they opened. */
export function ConfirmFirst({ methods }: { methods: ConfirmationMethods }) {
  const confirmIdentity = useContext(ConfirmIdentityContext);
  const router = useRouter();
  const isPrompted = useRef(false);

  async function confirm() {
    if (await confirmIdentity(methods)) router.refresh();
  }

  // At once, because nobody opens the console for this page.
  useEffect(() => {
    if (isPrompted.current) return;
    isPrompted.current = true;
    void confirm();
  });

  return (
    <MessagePage
      title="Confirm it's you"
      text={`The operator's console asks you to confirm every ${durationInWords(PROOF_MS / 1_000)}.`}
    >
      <Actions>
        <Button onClick={confirm}>Confirm</Button>
      </Actions>
    </MessagePage>
  );
}
