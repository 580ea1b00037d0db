"use client";

import { useEffect, useState } from "react";
import { Button, LinkButton } from "@/components/buttons";
import { INCOMPLETE, isDatabaseAway, isPartMissing, RELOAD } from "@/components/failures";
import { Actions, MessagePage } from "@/components/page";
import form from "@/components/page.module.css";
import { Frame } from "@/components/shell";

/**
 * The reference for the operator to find the cause of a failed page in the log: its request's id, which reveals nothing
 * to outsiders. `digest` is used if the page was loaded and failed later: then the id of that request is unknown here.
 */
function ErrorReference({ digest }: { digest?: string }) {
  const [reference, setReference] = useState(digest);

  useEffect(() => {
    const [loaded] = performance.getEntriesByType("navigation");
    const hasFailed = loaded instanceof PerformanceNavigationTiming && loaded.responseStatus >= 500;
    const { requestId } = document.documentElement.dataset;
    if (hasFailed && requestId) setReference(requestId);
  }, []);

  if (!reference) return null;
  return (
    <p className="soft">
      If this keeps happening, give the operator of this service this reference:{" "}
      <code translate="no" className={form.reference}>
        {reference}
      </code>
    </p>
  );
}

/** Shown for a page or a part of one whose script could not be loaded. */
function IncompletePage() {
  return (
    <MessagePage title={INCOMPLETE} text={RELOAD}>
      <Actions>
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </Actions>
    </MessagePage>
  );
}

interface FailedPartProps {
  title: string;
  text: string;
  error: unknown;
  retry: () => void;
}

/** Shown for a part of a page that failed. */
export function FailedPart({ title, text, error, retry }: FailedPartProps) {
  if (isPartMissing(error)) return <IncompletePage />;
  return (
    <MessagePage title={title} text={text}>
      <Actions>
        <Button onClick={retry}>Try again</Button>
      </Actions>
      <ErrorReference />
    </MessagePage>
  );
}

/** Shown for a page that failed. */
export default function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  const [isAway, setAway] = useState(digest === "unavailable");
  useEffect(() => void isDatabaseAway().then((is) => is && setAway(true)), []);
  const text = isAway
    ? "The database isn't responding right now. Nothing is lost. Try again in a moment."
    : "The service couldn't load this page. Try again in a moment.";

  return (
    <Frame>
      {isPartMissing(error) ? (
        <IncompletePage />
      ) : (
        <MessagePage title="Something went wrong" text={text}>
          <Actions>
            <Button onClick={retry}>Try again</Button>
            <LinkButton href="/" variant="default">
              Go home
            </LinkButton>
          </Actions>
          {!isAway && <ErrorReference digest={digest} />}
        </MessagePage>
      )}
    </Frame>
  );
}
