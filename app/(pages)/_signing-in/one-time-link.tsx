"use client";

import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/components/buttons";
import { MessagePage } from "@/components/page";
import { Step } from "@/components/step";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import type { Outcome } from "../action";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { linkSecret } from "./kept-input";

/** Says what may be wrong with a link, not which it is: guessing shows nothing. `children`: how to get another. */
export function BadLink({ children }: { children: ReactNode }) {
  return (
    <MessagePage
      title="This link doesn't work"
      text={
        `It may have been used already, be more than ${durationInWords(LINK_HOURS * 3_600)} old, or have been ` +
        "replaced by a newer one. The address may also be incomplete."
      }
    >
      <p className="soft">{children}</p>
      <p className="soft">
        Know your password? <a href="/signin">Sign in</a>
      </p>
    </MessagePage>
  );
}

interface FirstStepProps<Target> {
  title: string;
  lead: string;
  /** Shows what the link opens, which changes nothing. */
  preview: (secret: string) => Promise<Outcome<Target | null>>;
  /** Where else than in the address the secret may be. */
  secretOf?: () => string;
  /** Whether the user comes back from signing in: then no further press is needed. */
  isBegun?: () => boolean;
}

interface Props<Target> extends FirstStepProps<Target> {
  /** Shown if the link cannot be used. */
  bad: ReactNode;
  /** Shows what the link opens, to be used with its own secret: the address may have another one by then. */
  children: (target: Target, secret: string, onBad: () => void) => ReactNode;
}

interface Previewed<Target> {
  target: Target | null;
  secret: string;
}

/**
 * The page of a link. Another link that is opened in the same tab begins anew
 * (contract, section 5: links that work once).
 */
export function OneTimeLink<Target>({ bad, children, ...first }: Props<Target>) {
  /** `previewed` is undefined before the first press. */
  const [{ visit, previewed }, setShown] = useState<{ visit: number; previewed?: Previewed<Target> }>({ visit: 0 });

  useEffect(() => {
    const beginAnew = () => setShown((shown) => ({ visit: shown.visit + 1 }));
    addEventListener("hashchange", beginAnew);
    return () => removeEventListener("hashchange", beginAnew);
  }, []);

  // The response about an earlier link is not about this one.
  const show = (next: Previewed<Target>) =>
    setShown((shown) => (shown.visit === visit ? { visit, previewed: next } : shown));

  const step = previewed === undefined ? "first" : previewed.target === null ? "bad" : "target";
  return (
    <Step name={`${visit} ${step}`}>
      {previewed === undefined ? (
        <FirstStep key={visit} {...first} onPreviewed={show} />
      ) : previewed.target === null ? (
        bad
      ) : (
        children(previewed.target, previewed.secret, () => show({ ...previewed, target: null }))
      )}
    </Step>
  );
}

/** The page as a preview or a scanner sees it: only a press sends the link's secret, or coming back from signing in. */
function FirstStep<Target>(props: FirstStepProps<Target> & { onPreviewed: (previewed: Previewed<Target>) => void }) {
  const { title, lead, preview, secretOf = linkSecret, isBegun, onPreviewed } = props;
  const { run, busy, error } = useAction();

  async function press() {
    const secret = secretOf();
    const target = await run(preview, secret);
    if (target) onPreviewed({ target: target.ok, secret });
  }

  const goOn = useEffectEvent(() => {
    if (isBegun?.()) void press();
  });
  useEffect(() => goOn(), []);

  return (
    <MessagePage title={title} text={lead}>
      <ErrorNotice error={error} />
      <Button onClick={press} loading={busy} fullWidth>
        Continue
      </Button>
    </MessagePage>
  );
}
