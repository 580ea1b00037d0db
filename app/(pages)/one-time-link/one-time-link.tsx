"use client";

import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/controls/button";
import form from "@/components/controls/form.module.css";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { Step } from "../link/step";
import type { Outcome } from "../outcome";
import { useAction } from "../use-action";
import { linkSecret } from "./secret";

/** Says what may be wrong with a link, not which it is: guessing shows nothing. `children`: how to get another. */
export function BadLink({ children }: { children: ReactNode }) {
  return (
    <div className={form.page}>
      <h1>This link doesn't work</h1>
      <p className={form.lead}>
        {`It may have been used already, be more than ${durationInWords(LINK_HOURS * 3_600)} old, or have been ` +
          "replaced by a newer one. The address may also be incomplete."}
      </p>
      <p className={form.lead}>{children}</p>
      <p className={form.lead}>
        Know your password? <a href="/signin">Sign in</a>
      </p>
    </div>
  );
}

interface FirstStepProps<Found> {
  title: string;
  lead: string;
  /** Looks the link up, which changes nothing. */
  look: (secret: string) => Promise<Outcome<Found | null>>;
  /** Where else than in the address the secret may be. */
  secretOf?: () => string;
}

interface Props<Found> extends FirstStepProps<Found> {
  /** Shown if the link cannot be used. */
  bad: ReactNode;
  /** Shows what was found, to be used with the secret that found it: the address may have another one by then. */
  children: (found: Found, secret: string, onBad: () => void) => ReactNode;
}

interface Looked<Found> {
  found: Found | null;
  secret: string;
}

/**
 * The page of a link. Another link that is opened in the same tab begins anew
 * (contract, section 5: links that work once).
 */
export function OneTimeLink<Found>({ bad, children, ...first }: Props<Found>) {
  /** `looked` is undefined before the first press. */
  const [{ visit, looked }, setShown] = useState<{ visit: number; looked?: Looked<Found> }>({ visit: 0 });

  useEffect(() => {
    const beginAnew = () => setShown((shown) => ({ visit: shown.visit + 1 }));
    addEventListener("hashchange", beginAnew);
    return () => removeEventListener("hashchange", beginAnew);
  }, []);

  // The answer about an earlier link says nothing about this one.
  const show = (next: Looked<Found>) => setShown((shown) => (shown.visit === visit ? { visit, looked: next } : shown));

  const step = looked === undefined ? "first" : looked.found === null ? "bad" : "found";
  return (
    <Step name={`${visit} ${step}`}>
      {looked === undefined ? (
        <FirstStep key={visit} {...first} onLook={show} />
      ) : looked.found === null ? (
        bad
      ) : (
        children(looked.found, looked.secret, () => show({ ...looked, found: null }))
      )}
    </Step>
  );
}

/** The page as a preview or a scanner sees it: only a press sends the link's secret. */
function FirstStep<Found>(props: FirstStepProps<Found> & { onLook: (looked: Looked<Found>) => void }) {
  const { title, lead, look, secretOf = linkSecret, onLook } = props;
  const { run, busy, error } = useAction();

  async function press() {
    const secret = secretOf();
    const found = await run(() => look(secret));
    if (found) onLook({ found: found.ok, secret });
  }

  return (
    <div className={form.page}>
      <h1>{title}</h1>
      <p className={form.lead}>{lead}</p>
      <ErrorNotice error={error} />
      <Button onClick={press} loading={busy} fullWidth>
        Continue
      </Button>
    </div>
  );
}
