"use client";

import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import form from "@/components/form.module.css";
import { MessagePage } from "@/components/message-page";
import { Actions } from "@/components/panel";
import { Shell } from "@/components/shell";

/** What stands in for a page that failed. The reference is the request's id, as in the log; it tells an outsider nothing. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  const [requestId, setRequestId] = useState<string>();
  const reference = requestId ?? digest;
  const isAway = digest === "unavailable";
  const text = isAway
    ? "The database does not answer right now. Nothing is lost: try again in a moment."
    : "The service failed to make this page. Try again in a moment.";

  useEffect(() => setRequestId(document.documentElement.dataset.requestId), []);

  return (
    <Shell>
      <MessagePage title="This did not work" text={text}>
        <Actions>
          <Button onClick={retry}>Try again</Button>
          <Button component="a" href="/" variant="default">
            To the start page
          </Button>
        </Actions>
        {reference && !isAway && (
          <p className={form.lead}>
            If it stays so, tell whoever runs this service the reference <code>{reference}</code>.
          </p>
        )}
      </MessagePage>
    </Shell>
  );
}
