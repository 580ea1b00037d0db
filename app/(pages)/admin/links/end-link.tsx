"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { ConfirmDialog } from "../../confirm-dialog";
import { SameCommand } from "../same-command";
import { endCode } from "./actions";
import styles from "./links.module.css";

/** Ends a request, after a question. */
export function EndLink({ linkId, program, network }: { linkId: string; program: string; network: string }) {
  const [asking, setAsking] = useState(false);
  const named = program === "" ? "this program" : `“${program}”`;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`End the code of ${named}, ${network}`}
        onClick={() => setAsking(true)}
      >
        End
      </Button>
      <div className={styles.inCell}>
        <ConfirmDialog
          opened={asking}
          title="End this code?"
          confirm="End code"
          action={() => endCode(linkId)}
          onClose={() => setAsking(false)}
          onDone={() => {}}
          footer={<SameCommand command={`link:end ${linkId}`} />}
        >
          <p>
            Nobody can approve the code of <span>{named}</span> at <span translate="no">{network}</span> any more, and
            the program gets no token, even if somebody has approved it. It can ask for another code. This can't be
            undone.
          </p>
        </ConfirmDialog>
      </div>
    </>
  );
}
