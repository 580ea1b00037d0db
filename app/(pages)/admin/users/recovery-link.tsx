"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Actions } from "@/components/panel";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
import { SameCommand } from "../same-command";
import { linkToRecover } from "./actions";
import { type NewLink, ShownLink } from "./shown-link";
import styles from "./users.module.css";

/** Creates a link with which a user sets a new password, and shows it once. */
export function RecoveryLink({ username, isDisabled }: { username: string; isDisabled: boolean }) {
  const { run, busy, error } = useAction();
  const [made, setMade] = useState<NewLink | null>(null);

  async function make() {
    setMade(null);
    const done = await run(() => linkToRecover(username));
    if (done) setMade(done.ok);
  }

  return (
    <>
      <p className={styles.soft}>
        {isDisabled
          ? "Enable the account first."
          : `With it, ${username} sets a new password or passkey. It works once, for ` +
            `${durationInWords(LINK_HOURS * 3_600)}, and ends the one before. Send it only to this user.`}
      </p>
      <Actions>
        <Button size="sm" variant="default" onClick={make} loading={busy} disabled={isDisabled}>
          Create recovery link
        </Button>
      </Actions>
      <ErrorNotice error={error} />
      {made && <ShownLink link={made} />}
      <SameCommand command={`user:recover ${username}`} />
    </>
  );
}
