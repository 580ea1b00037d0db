"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { IconLifebuoy } from "@/components/icons";
import { Actions } from "@/components/panel";
import { When } from "@/components/when";
import styles from "./page.module.css";
import { RecoveryCodesDialog } from "./recovery-codes-dialog";

interface Props {
  username: string;
  asksPassword: boolean;
  /** How many codes can still be used. */
  left: number;
  createdAt: Date | null;
}

/** The codes with which the user gets back in without the password: how many are left, and a way to new ones. */
export function RecoveryPanel({ username, asksPassword, left, createdAt }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <div id="recovery-codes" className={styles.stack}>
      <p className={styles.soft}>
        If you forget your password, a recovery code lets you set a new one. Each code works once. Keep them where only
        you can find them.
      </p>
      {createdAt ? (
        <p>
          <strong>{`${left === 1 ? "1 code" : `${left} codes`} left`}</strong>, created <When at={createdAt} />
        </p>
      ) : (
        <p>You have no recovery codes.</p>
      )}
      <Actions>
        <Button size="sm" variant="default" onClick={() => setAsking(true)} leftSection={<IconLifebuoy size={16} />}>
          {createdAt ? "Create new codes" : "Create recovery codes"}
        </Button>
      </Actions>
      <RecoveryCodesDialog
        username={username}
        asksPassword={asksPassword}
        left={left}
        opened={asking}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
