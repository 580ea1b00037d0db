"use client";

import type { ListedPasskey } from "@/lib/accounts/passkeys/add";
import { ConfirmDialog } from "../confirm-dialog";
import { takeAway } from "./actions";

interface Props {
  /** The passkey in question; null: none. */
  passkey: ListedPasskey | null;
  onClose: () => void;
  /** Gets the name of what was removed. */
  onRemoved: (name: string) => void;
}

/** Asks before a passkey is removed. */
export function RemovePasskeyDialog({ passkey, onClose, onRemoved }: Props) {
  return (
    <ConfirmDialog
      opened={passkey !== null}
      title={`Remove ${passkey?.name}?`}
      confirm="Remove"
      action={() => takeAway(String(passkey?.id))}
      onClose={onClose}
      onDone={onRemoved}
    >
      <p>
        It no longer signs you in. Browsers where you're signed in stay signed in. Your device may keep offering it
        until you delete it there too.
      </p>
    </ConfirmDialog>
  );
}
