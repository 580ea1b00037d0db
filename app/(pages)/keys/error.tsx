"use client";

import { Button } from "@mantine/core";
import { MessagePage } from "@/components/message-page";
import { Actions } from "@/components/panel";
import { ErrorReference } from "../../error-reference";

/** Stands in for the list or a key that could not be loaded, so that it never looks like having none. */
export default function KeysError({ retry }: { retry: () => void }) {
  return (
    <MessagePage
      title="Your keys could not be loaded"
      text="They are safe, and whoever holds them still does. The service just did not answer. Try again in a moment."
    >
      <Actions>
        <Button onClick={retry}>Try again</Button>
      </Actions>
      <ErrorReference />
    </MessagePage>
  );
}
