"use client";

import { Button } from "@/components/button";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
import { admitNetwork } from "./actions";
import styles from "./links.module.css";

/** Takes requests from a network again. To undo it, the network is blocked again. */
export function Unblock({ network }: { network: string }) {
  const { run, busy, error } = useAction();
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`Unblock ${network}`}
        loading={busy}
        onClick={() => run(() => admitNetwork(network))}
      >
        Unblock
      </Button>
      <div className={styles.inCell}>
        <ErrorNotice error={error} />
      </div>
    </>
  );
}
