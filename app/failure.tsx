"use client";

import { useEffect, useState } from "react";
import { Button, LinkButton } from "@/components/button";
import { Frame } from "@/components/frame";
import { MessagePage } from "@/components/message-page";
import { Actions } from "@/components/panel";
import { EARLIER_VERSION, whyFailed } from "@/components/why-failed";
import { ErrorReference } from "./error-reference";

/** Shown for a page that failed. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const [isEarlier, setEarlier] = useState(false);
  useEffect(() => void whyFailed(error).then((why) => setEarlier(why === EARLIER_VERSION)), [error]);
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  const isAway = digest === "unavailable";
  const text = isAway
    ? "The database isn't responding right now. Nothing is lost. Try again in a moment."
    : "The service couldn't load this page. Try again in a moment.";

  if (isEarlier)
    return (
      <Frame>
        <MessagePage title="This page is out of date" text="The service has another version by now. Reload the page.">
          <Actions>
            <Button onClick={() => window.location.reload()}>Reload</Button>
          </Actions>
        </MessagePage>
      </Frame>
    );
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
