"use client";

import { useState } from "react";
import { Button, LinkButton } from "@/components/buttons";
import { Checkbox } from "@/components/checkbox";
import { CopyButton } from "@/components/copy-button";
import { TextInput } from "@/components/form";
import { IconPlus } from "@/components/icons";
import { Actions } from "@/components/page";
import { DataTable } from "@/components/table";
import { When } from "@/components/time";
import type { ShownLinks } from "@/lib/keys/claims/create";
import type { Batch } from "@/lib/keys/claims/list";
import { counted, countInWords, MAX_LINKS } from "@/lib/platform/bounds";
import styles from "../_keys/keys.module.css";
import { ActionDialog, DialogButton } from "../action-dialog";
import { createLinks, endLinks } from "./actions";

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
function NewLinksDialog({ keyId, onClose }: { keyId: string; onClose: () => void }) {
  const [hasEnd, setHasEnd] = useState(false);
  const number = { inputMode: "numeric", required: true, autoComplete: "off" } as const;
  return (
    <ActionDialog
      title="New claim links"
      submit="Create"
      action={createLinks}
      input={hasEnd ? { keyId } : { keyId, days: null }}
      titleOf={() => "Your claim links"}
      shows={(links) => <CreatedLinks keyId={keyId} {...links} onClose={onClose} />}
      onClose={onClose}
    >
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
    </ActionDialog>
  );
}

/** What the links of a batch are, in words. */
function Links({ note, links, most, days }: Batch) {
  return (
    <>
      {note && (
        <>
          <bdi translate="no">{note}</bdi>
          <br />
        </>
      )}
      <span className="soft">
        <span>{counted(links, "link", "links")}</span>
        <span>{most > 1 && `, each for ${most.toLocaleString("en")} people`}</span>,{" "}
        <span>{days === null ? "access never expires" : `access for ${counted(days, "day", "days")}`}</span>
      </span>
    </>
  );
}

function Claimed(batch: Batch) {
  return (
    <>
      <span>{batch.claimed.toLocaleString("en")}</span> of{" "}
      <span>{(batch.links * batch.most).toLocaleString("en")}</span>
      <Claimers {...batch} />
    </>
  );
}

/** Those who claimed last; the activity of the key has all of them. */
function Claimers({ claims, claimed, links }: Batch) {
  const others = claimed - claims.length;
  if (claims.length === 0) return null;
  return (
    <span className="detail">
      {claims.map(({ username, number }, n) => (
        <span key={`${username} ${number}`}>
          {`${n > 0 ? ", " : ""}${username}${links > 1 ? ` (link ${number})` : ""}`}
        </span>
      ))}
      {others > 0 && <span>{` and ${others.toLocaleString("en")} more`}</span>}
    </span>
  );
}

interface EndLinksProps {
  keyId: string;
  batch: Batch;
  onClose: () => void;
}

/** Asks before links are ended: all that were created together, or one of them. */
function EndLinks({ keyId, batch, onClose }: EndLinksProps) {
  const isOne = batch.links === 1;
  return (
    <ActionDialog
      title={isOne ? "End this link?" : "End these links?"}
      submit={isOne ? "End link" : "End links"}
      color="red"
      action={endLinks}
      input={(text) => ({ keyId, batchId: batch.id, number: text("number") })}
      done={(ended) => counted(ended, "link has been ended.", "links have been ended.")}
      onClose={onClose}
    >
      <p>
        The key can no longer be accepted with <span>{isOne ? "it" : "them"}</span>. People who have already accepted it
        keep their access. This can't be undone.
      </p>
      {!isOne && (
        <TextInput
          label="Only the link with this number (optional)"
          description="From the first column of the CSV. Leave it empty to end all of them."
          name="number"
          inputMode="numeric"
          autoComplete="off"
        />
      )}
    </ActionDialog>
  );
}

interface ClaimLinksProps {
  keyId: string;
  batches: Batch[];
  canCreate: boolean;
}

/** The links of a key, created together in batches. */
export function ClaimLinks({ keyId, batches, canCreate }: ClaimLinksProps) {
  const [ending, setEnding] = useState<Batch | null>(null);
  const end = (batch: Batch) =>
    batch.isOver ? (
      <span className="soft">{batch.claimed >= batch.links * batch.most ? "Used up" : "Ended"}</span>
    ) : (
      <Button
        variant="default"
        size="xs"
        aria-label={`End ${batch.note || counted(batch.links, "link", "links")}`}
        onClick={() => setEnding(batch)}
      >
        End
      </Button>
    );
  return (
    <>
      {canCreate && (
        <Actions>
          <DialogButton
            leftSection={<IconPlus size={16} />}
            dialog={(close) => <NewLinksDialog keyId={keyId} onClose={close} />}
          >
            Create links
          </DialogButton>
        </Actions>
      )}
      {batches.length > 0 && (
        <DataTable
          label="Claim links"
          rows={batches}
          keyOf={({ id }) => id}
          columns={{
            links: { head: "Links", cell: Links },
            claimed: { head: "Claimed", looks: "claimed", cell: Claimed },
            expires: { head: "Expires", looks: "wide", cell: ({ expiresAt }) => <When at={expiresAt} /> },
            end: { looks: "action", cell: end },
          }}
        />
      )}
      {ending && <EndLinks keyId={keyId} batch={ending} onClose={() => setEnding(null)} />}
    </>
  );
}
