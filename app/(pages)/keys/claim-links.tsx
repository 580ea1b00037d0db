"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { IconPlus } from "@/components/icons";
import { ClaimBatches } from "@/components/keys/claim-batches";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import type { Batch } from "@/lib/keys/claims/list";
import { EndLinks } from "./end-links";
import { NewLinksDialog } from "./new-links-dialog";

interface ClaimLinksProps {
  keyId: string;
  batches: Batch[];
  canCreate: boolean;
}

/** The links of a key, created together in batches. */
export function ClaimLinks({ keyId, batches, canCreate }: ClaimLinksProps) {
  const [creating, setCreating] = useState(false);
  const [ending, setEnding] = useState<Batch | null>(null);
  const [done, setDone] = useState("");

  function finish(ended: number) {
    setEnding(null);
    setDone(ended === 1 ? "1 link has been ended." : `${ended.toLocaleString("en")} links have been ended.`);
  }

  return (
    <>
      {canCreate && (
        <Actions>
          <Button
            size="sm"
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => {
              setDone("");
              setCreating(true);
            }}
          >
            Create links
          </Button>
        </Actions>
      )}
      <Notice kind="done">{done}</Notice>
      {batches.length > 0 && <ClaimBatches batches={batches} onEnd={setEnding} />}
      {creating && <NewLinksDialog keyId={keyId} onClose={() => setCreating(false)} />}
      {ending && <EndLinks keyId={keyId} batch={ending} onClose={() => setEnding(null)} onEnded={finish} />}
    </>
  );
}
