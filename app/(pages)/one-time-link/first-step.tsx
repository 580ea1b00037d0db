"use client";

import { Button } from "@/components/button";
import form from "@/components/form.module.css";
import { ErrorNotice } from "../error-notice";
import type { Outcome } from "../outcome";
import { useAction } from "../use-action";
import { linkSecret } from "./secret";

interface Props<Found> {
  title: string;
  lead: string;
  /** Looks the link up, which changes nothing. */
  look: (secret: string) => Promise<Outcome<Found | null>>;
  onLook: (found: Found | null) => void;
}

/** The page as a preview or a scanner sees it: only a press sends the link's secret. */
export function FirstStep<Found>({ title, lead, look, onLook }: Props<Found>) {
  const { run, busy, error } = useAction();

  async function press() {
    const found = await run(() => look(linkSecret()));
    if (found) onLook(found.ok);
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
