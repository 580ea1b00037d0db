"use client";

import { useState } from "react";
import { Button, LinkButton } from "@/components/controls/button";
import { Checkbox } from "@/components/controls/checkbox";
import { CopyButton } from "@/components/controls/copy-button";
import { TextInput } from "@/components/controls/field";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { Actions } from "@/components/frame/panel";
import type { ShownLinks } from "@/lib/keys/claims/create";
import { countInWords, MAX_LINKS } from "@/lib/platform/bounds";
import { ActionForm, Submit } from "../action-form";
import { createLinks } from "./actions";
import styles from "./keys.module.css";

interface CreatedLinksProps extends ShownLinks {
  keyId: string;
  onClose: () => void;
}

/** New links, to copy or download: they are stored as hashes only. */
function CreatedLinks({ keyId, count, first, qr, csv, onClose }: CreatedLinksProps) {
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`;
  return (
    <>
      <p role="status">
        {count === 1
          ? "Copy the link now: it is shown only once."
          : `${count.toLocaleString("en")} links have been created. Download them now: they are shown only once.`}
      </p>
      {count === 1 && (
        <>
          <code translate="no" className={styles.link}>
            {first}
          </code>
          <svg className={styles.qr} viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label="QR code of the link">
            <path d={qr.path} fill="currentColor" shapeRendering="crispEdges" />
          </svg>
        </>
      )}
      <Actions>
        {count === 1 ? (
          <CopyButton text={first} label="Copy link" isMain />
        ) : (
          <LinkButton size="sm" href={href} download={`claim-links-${keyId.slice(0, 8)}.csv`} autoFocus>
            Download as CSV
          </LinkButton>
        )}
        <Button size="sm" variant="default" onClick={onClose}>
          Done
        </Button>
      </Actions>
    </>
  );
}

/** Asks what links shall be like, creates them, and shows them this once. */
export function NewLinksDialog({ keyId, onClose }: { keyId: string; onClose: () => void }) {
  const [hasEnd, setHasEnd] = useState(false);
  const [created, setCreated] = useState<ShownLinks | null>(null);

  const number = { inputMode: "numeric", required: true, autoComplete: "off" } as const;
  return (
    <Dialog onClose={onClose} title={created ? "Your claim links" : "New claim links"}>
      {created ? (
        <CreatedLinks keyId={keyId} {...created} onClose={onClose} />
      ) : (
        <ActionForm action={createLinks} input={hasEnd ? { keyId } : { keyId, days: null }} onDone={setCreated}>
          <TextInput
            label="Number of links"
            description={`Up to ${countInWords(MAX_LINKS)} at a time.`}
            name="links"
            defaultValue="1"
            {...number}
          />
          <TextInput
            label="People per link"
            description="How many can accept the key with the same link."
            name="most"
            defaultValue="1"
            {...number}
          />
          <TextInput label="Links expire after (days)" name="openDays" defaultValue="365" {...number} />
          <Checkbox label="Access ends" checked={hasEnd} onChange={(event) => setHasEnd(event.currentTarget.checked)} />
          {hasEnd && (
            <TextInput
              label="Days of access"
              description="Counted from when someone accepts. They are added to the end date of a holder who has one."
              name="days"
              defaultValue="365"
              {...number}
            />
          )}
          <TextInput
            label="Note (optional)"
            description="For you, like an order number. Nobody else sees it."
            name="note"
            autoComplete="off"
          />
          <Submit as={SteadyButton} cancel={onClose}>
            Create
          </Submit>
        </ActionForm>
      )}
    </Dialog>
  );
}
