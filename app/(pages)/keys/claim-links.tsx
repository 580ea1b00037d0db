"use client";

import { useState } from "react";
import { DataTable } from "@/components/content/table";
import tableStyles from "@/components/content/table.module.css";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { IconPlus } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import type { Batch } from "@/lib/keys/claims/list";
import { counted } from "@/lib/platform/bounds";
import { ActionDialog, DialogButton } from "../action-dialog";
import { endLinks } from "./actions";
import { NewLinksDialog } from "./new-links-dialog";

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
      <TableBody batches={batches} onEnd={onEnd} />
    </DataTable>
  );
}

function TableBody({ batches, onEnd }: { batches: Batch[]; onEnd: (batch: Batch) => void }) {
  return (
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
            <span className={tableStyles.soft}>
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
              <span className={tableStyles.soft}>
                {batch.claimed >= batch.links * batch.most ? "Used up" : "Ended"}
              </span>
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
  );
}

/** Those who claimed last; the activity of the key has all of them. */
function Claimers({ claims, claimed, links }: Batch) {
  const others = claimed - claims.length;
  if (claims.length === 0) return null;
  return (
    <span className={tableStyles.claimers}>
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
