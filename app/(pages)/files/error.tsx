"use client";

import { Button } from "@/components/controls/button";
import { isPartMissing } from "@/components/feedback/missing-part";
import { Actions, MessagePage } from "@/components/frame/panel";
import { ErrorReference, IncompletePage } from "../../error";

/** Shown for a folder that could not be loaded, so that it is never mistaken for an empty one. */
export default function FilesError({ error, retry }: { error: unknown; retry: () => void }) {
  if (isPartMissing(error)) return <IncompletePage />;
  return (
    <MessagePage
      title="Your files couldn't be loaded"
      text="They're safe; the service just didn't respond. Try again in a moment."
    >
      <Actions>
        <Button onClick={retry}>Try again</Button>
      </Actions>
      <ErrorReference />
    </MessagePage>
  );
}
