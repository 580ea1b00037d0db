"use client";

import { useState } from "react";
import { RotationEffects } from "@/app/(pages)/link/revoke-access";
import { Button } from "@/components/controls/button";
import { CopyButton } from "@/components/controls/copy-button";
import { SteadyButton } from "@/components/controls/steady-button";
import { Notice } from "@/components/feedback/notice";
import { IconEye, IconEyeOff, IconRefresh } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import { ConfirmDialog } from "../confirm-dialog";
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
  const { run, busy, error, done, setDone } = useAction();
  const [fetched, setFetched] = useState<ShownToken | null>(null);
  const [shown, setShown] = useState(false);
  const [isOpen, setOpen] = useState(false);

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
    setDone("This is your new token. The old one no longer works.");
  }

  const isShown = shown && token !== null;
  return (
    <div className={styles.stack}>
      <code translate="no" className={`${styles.token} ${isShown ? "" : styles.hidden}`}>
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
        <Button size="sm" variant="default" onClick={() => setOpen(true)} leftSection={<IconRefresh size={16} />}>
          Rotate
        </Button>
      </Actions>
      <ErrorNotice error={error} />
      <Notice kind="done">{isShown && done}</Notice>
      <RotateDialog
        title="Rotate your token?"
        programs={programs}
        tokens={tokens}
        opened={isOpen}
        onClose={() => setOpen(false)}
        onRotated={showNew}
      />
    </div>
  );
}
