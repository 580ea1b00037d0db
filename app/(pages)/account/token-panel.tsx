"use client";

import { useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { IconEye, IconEyeOff, IconRefresh } from "@/components/icons";
import { Actions } from "@/components/page";
import { RotationEffects } from "@/components/rotation-effects";
import { SteadyButton } from "@/components/steady-button";
import type { ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/list";
import { ActionDialog, DialogButton } from "../action-dialog";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { reveal, rotate, type ShownToken } from "./actions";
import styles from "./page.module.css";

interface RotateDialogProps {
  title: string;
  /** Why rotating is the way to do what was requested. */
  reason?: string;
  /** The programs that stop. */
  programs: LinkedProgram[];
  /** The tokens that go on. */
  tokens: ListedToken[];
  onClose: () => void;
  /** What is said when it is done. */
  done: string;
  /** Gets the new token. */
  onDone: (token: ShownToken) => void;
}

/** Lists what will stop, and what will go on, before the account's token is replaced. */
export function RotateDialog({ reason, programs, tokens, ...dialog }: RotateDialogProps) {
  return (
    <ActionDialog submit="Rotate token" color="red" action={rotate} {...dialog}>
      {reason && <p>{reason}</p>}
      <p>Your account gets a new token, and the current one stops working immediately.</p>
      <RotationEffects programs={programs} tokens={tokens} />
      <p>If you've pasted the token anywhere, replace it there.</p>
    </ActionDialog>
  );
}

const HIDDEN = `lk_${"•".repeat(20)}`;

interface Props {
  /** The programs that hold it. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
  /** Unix ms. */
  createdAt: number;
}

/** The account's token: hidden, and not even on the page, until the user requests it. */
export function TokenPanel({ programs, tokens, createdAt }: Props) {
  const { run, busy, error } = useAction();
  const [fetched, setFetched] = useState<ShownToken | null>(null);
  const [shown, setShown] = useState(false);

  // Changing the password or revoking access also replaces it.
  const token = fetched && fetched.createdAt >= createdAt ? fetched.text : null;

  async function fetchToken(): Promise<string | null> {
    const revealed = await run(reveal);
    if (revealed) setFetched(revealed.ok);
    return revealed ? revealed.ok.text : null;
  }

  async function toggle() {
    if (isShown) return setShown(false);
    setShown((token ?? (await fetchToken())) !== null);
  }

  function showNew(fresh: ShownToken) {
    setFetched(fresh);
    setShown(true);
  }

  const isShown = shown && token !== null;
  return (
    <>
      <code translate="no" className={`${styles.token} ${isShown ? "" : "soft"}`}>
        {isShown ? token : HIDDEN}
      </code>
      <Actions>
        <CopyButton isMain text={async () => token ?? fetchToken()} />
        <SteadyButton
          size="sm"
          variant="default"
          onClick={toggle}
          loading={busy}
          leftSection={isShown ? <IconEyeOff size={16} /> : <IconEye size={16} />}
        >
          {isShown ? "Hide" : "Reveal"}
        </SteadyButton>
        <DialogButton
          leftSection={<IconRefresh size={16} />}
          dialog={(close) => (
            <RotateDialog
              title="Rotate your token?"
              programs={programs}
              tokens={tokens}
              done="This is your new token. The old one no longer works."
              onDone={showNew}
              onClose={close}
            />
          )}
        >
          Rotate
        </DialogButton>
      </Actions>
      <ErrorNotice error={error} />
    </>
  );
}
