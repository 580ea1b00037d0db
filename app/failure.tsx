"use client";

import { Button, LinkButton } from "@/components/button";
import { Frame } from "@/components/frame";
import { MessagePage } from "@/components/message-page";
import { Actions } from "@/components/panel";
import { ErrorReference } from "./error-reference";

/** Shown for a page that failed. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  const isAway = digest === "unavailable";
  const text = isAway
    ? "The database isn't responding right now. Nothing is lost. Try again in a moment."
    : "The service couldn't load this page. Try again in a moment.";

  return (
    <Frame>
      <MessagePage title="Something went wrong" text={text}>
        <Actions>
          <Button onClick={retry}>Try again</Button>
          <LinkButton href="/" variant="default">
            Go home
          </LinkButton>
        </Actions>
        {!isAway && <ErrorReference digest={digest} />}
      </MessagePage>
    </Frame>
  );
}
