"use client";

import { useState } from "react";
import { Button, LinkButton } from "@/components/buttons";
import { Checkbox } from "@/components/checkbox";
import rows from "@/components/content.module.css";
import { CopyButton } from "@/components/copy-button";
import { Dialog } from "@/components/dialog";
import { TextInput } from "@/components/form";
import { IconPlus } from "@/components/icons";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { DataTable } from "@/components/table";
import tableStyles from "@/components/table.module.css";
import { When } from "@/components/time";
import type { ShownLinks } from "@/lib/keys/claims/create";
import type { Batch } from "@/lib/keys/claims/list";
import { counted, countInWords, MAX_LINKS } from "@/lib/platform/bounds";
import styles from "../_keys/keys.module.css";
import { ActionDialog, DialogButton } from "../action-dialog";
import { ActionForm, Submit } from "../action-form";
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

/** The claim links of a key, a row for those that were created together, each with a button to end them. */
function ClaimBatches({ batches, onEnd }: { batches: Batch[]; onEnd: (batch: Batch) => void }) {
  return (
    <DataTable className={tableStyles.table} aria-label="Claim links">
      <thead>
        <tr>
          <th>Links</th>
          <th className={tableStyles.person}>Claimed</th>
          <th className={tableStyles.wide}>Expires</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {batches.map((batch) => (
          <tr key={batch.id}>
            <td>
              {batch.note && (
                <>
                  <bdi translate="no">{batch.note}</bdi>
                  <br />
                </>
              )}
              <span className="soft">
                <span>{counted(batch.links, "link", "links")}</span>
                <span>{batch.most > 1 && `, each for ${batch.most.toLocaleString("en")} people`}</span>,{" "}
                <span>
                  {batch.days === null ? "access never expires" : `access for ${counted(batch.days, "day", "days")}`}
                </span>
              </span>
            </td>
            <td className={tableStyles.claimed}>
              <span>{batch.claimed.toLocaleString("en")}</span> of{" "}
              <span>{(batch.links * batch.most).toLocaleString("en")}</span>
              <Claimers {...batch} />
            </td>
            <td className={tableStyles.wide}>
              <When at={batch.expiresAt} />
            </td>
            <td className={tableStyles.action}>
              {batch.isOver ? (
                <span className="soft">{batch.claimed >= batch.links * batch.most ? "Used up" : "Ended"}</span>
              ) : (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`End ${batch.note || counted(batch.links, "link", "links")}`}
                  onClick={() => onEnd(batch)}
                >
                  End
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** Those who claimed last; the activity of the key has all of them. */
function Claimers({ claims, claimed, links }: Batch) {
  const others = claimed - claims.length;
  if (claims.length === 0) return null;
  return (
    <span className={rows.detail}>
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
      {batches.length > 0 && <ClaimBatches batches={batches} onEnd={setEnding} />}
      {ending && <EndLinks keyId={keyId} batch={ending} onClose={() => setEnding(null)} />}
    </>
  );
}
