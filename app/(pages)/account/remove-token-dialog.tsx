"use client";

import { ConfirmDialog } from "../confirm-dialog";
import { removeOwnToken } from "./actions";
import type { Row } from "./token-rows";

interface Props {
  /** The token in question; null: none. */
  row: Row | null;
  onClose: () => void;
  /** Gets the name of what was removed. */
  onRemoved: (name: string) => void;
}

/** Asks before a token is removed. */
export function RemoveTokenDialog({ row, onClose, onRemoved }: Props) {
  return (
    <ConfirmDialog
      opened={row !== null}
      title={`Remove ${row?.name}?`}
      confirm="Remove"
      action={() => removeOwnToken(String(row?.id))}
      onClose={onClose}
      onDone={() => onRemoved(String(row?.name))}
    >
      <p>
        {row?.state === "ended"
          ? "Its token has expired. This takes it off the list."
          : "Its token stops working immediately. No other program is affected. This can't be undone."}
      </p>
    </ConfirmDialog>
  );
}
