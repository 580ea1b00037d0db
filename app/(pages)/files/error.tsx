"use client";

import { Button } from "@mantine/core";
import { MessagePage } from "@/components/message-page";
import { Actions } from "@/components/panel";
import { ErrorReference } from "../../error-reference";

/** Stands in for a folder that could not be loaded, so that it never looks like an empty one. */
export default function FilesError({ retry }: { retry: () => void }) {
  return (
    <MessagePage title="Your files could not be loaded" text="They are safe. The service just did not answer. Try again in a moment.">
      <Actions>
        <Button onClick={retry}>Try again</Button>
      </Actions>
      <ErrorReference />
    </MessagePage>
  );
}
