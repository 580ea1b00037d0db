"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import { countInWords, MOST_LINKS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { createLinks } from "./claim-actions";
import { CreatedLinks } from "./created-links";
import styles from "./keys.module.css";

/** Asks what links shall be like, creates them, and shows them this once. */
export function NewLinksDialog({ keyId, onClose }: { keyId: string; onClose: () => void }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [hasEnd, setHasEnd] = useState(false);
  const [made, setMade] = useState<{ count: number; first: string; csv: string } | null>(null);

  async function submit(fields: FormData) {
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const days = hasEnd ? text("days") : null;
    const sent = { links: text("links"), most: text("most"), days, openDays: text("openDays"), note: text("note") };
    const answer = await run(() => createLinks(keyId, sent));
    if (answer) setMade(answer.ok);
  }

  const number = { inputMode: "numeric", required: true, autoComplete: "off" } as const;
  return (
    <Dialog opened onClose={onClose} title={made ? "Your claim links" : "New claim links"}>
      {made ? (
        <CreatedLinks keyId={keyId} {...made} onClose={onClose} />
      ) : (
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
          <TextInput
            label="Number of links"
            description={`Up to ${countInWords(MOST_LINKS)} at a time.`}
            name="links"
            defaultValue="1"
            error={errorAt("links")}
            {...number}
          />
          <TextInput
            label="People per link"
            description="How many can accept the key with the same link."
            name="most"
            defaultValue="1"
            error={errorAt("most")}
            {...number}
          />
          <TextInput
            label="Links can be used for this many days"
            name="openDays"
            defaultValue="365"
            error={errorAt("openDays")}
            {...number}
          />
          <Checkbox label="Access ends" checked={hasEnd} onChange={(event) => setHasEnd(event.currentTarget.checked)} />
          {hasEnd && (
            <TextInput
              label="Days of access"
              description="From when someone accepts. A holder whose access would end gets these days on top."
              name="days"
              defaultValue="365"
              error={errorAt("days")}
              {...number}
            />
          )}
          <TextInput
            label="Note (optional)"
            description="For you, like an order number. Nobody else sees it."
            name="note"
            autoComplete="off"
            error={errorAt("note")}
          />
          <ErrorNotice error={error} />
          <Actions>
            <Button type="submit" loading={busy}>
              Create
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  );
}
