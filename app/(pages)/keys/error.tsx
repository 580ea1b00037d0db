"use client";

import { Button } from "@/components/controls/button";
import { isPartMissing } from "@/components/feedback/missing-part";
import { Actions, MessagePage } from "@/components/frame/panel";
import { ErrorReference, IncompletePage } from "../../error";

/** Shown for the list or a key that could not be loaded, so that it never looks empty. */
export default function KeysError({ error, retry }: { error: unknown; retry: () => void }) {
  if (isPartMissing(error)) return <IncompletePage />;
  return (
    <MessagePage
      title="Your keys couldn't be loaded"
      text="They're safe and keep their holders; the service just didn't respond. Try again in a moment."
    >
      <Actions>
        <Button onClick={retry}>Try again</Button>
      </Actions>
      <ErrorReference />
    </MessagePage>
  );
}
