"use client";

import { RotationEffects } from "@/components/link/rotation-effects";
import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import { ConfirmDialog } from "../confirm-dialog";
import { rotate, type ShownToken } from "./actions";

interface RotateDialogProps {
  title: string;
  /** Why rotating is the way to do what was asked for. */
  reason?: string;
  /** The programs that stop. */
  programs: LinkedProgram[];
  /** The tokens that go on. */
  tokens: ListedToken[];
  opened: boolean;
  onClose: () => void;
  /** Gets the new token. */
  onRotated: (token: ShownToken) => void;
}

/** Lists what will stop, and what will go on, before the account's token is replaced. */
export function RotateDialog({ title, reason, programs, tokens, opened, onClose, onRotated }: RotateDialogProps) {
  return (
    <ConfirmDialog
      opened={opened}
      title={title}
      confirm="Rotate token"
      action={rotate}
      onClose={onClose}
      onDone={onRotated}
    >
      {reason && <p>{reason}</p>}
      <p>Your account gets a new token, and the current one stops working immediately.</p>
      {opened && <RotationEffects programs={programs} tokens={tokens} />}
      <p>If you've pasted the token anywhere, replace it there.</p>
    </ConfirmDialog>
  );
}
