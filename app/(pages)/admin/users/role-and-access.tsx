"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Actions } from "@/components/panel";
import { useToast } from "@/components/toast";
import { ConfirmDialog } from "../../confirm-dialog";
import { ErrorNotice } from "../../error-notice";
import type { Outcome } from "../../outcome";
import { useAction } from "../../use-action";
import { SameCommand } from "../same-command";
import { changeRole, setAccess } from "./actions";
import styles from "./users.module.css";

interface StandingProps {
  username: string;
  role: string;
  isDisabled: boolean;
  /** It is the administrator's own account. */
  isOwn: boolean;
}

/** Makes a user an administrator or not, disables and enables the account. */
export function RoleAndAccess({ username, role, isDisabled, isOwn }: StandingProps) {
  const { run, busy, error } = useAction();
  const toast = useToast();
  const [asking, setAsking] = useState<"role" | "access" | null>(null);
  const isAdmin = role === "admin";
  const next = isAdmin ? "user" : "admin";

  async function enable() {
    if (await run(() => access(false))) toast({ text: `${username} has been enabled.` });
  }

  /** One user's result, as of any other action. */
  async function access(disabled: boolean): Promise<Outcome<void>> {
    const outcome = await setAccess([username], disabled);
    if ("error" in outcome) return outcome;
    const refused = outcome.ok[0]?.refused;
    return refused ? { error: refused } : { ok: undefined };
  }

  return (
    <>
      <p className={styles.soft}>
        <span>
          {isAdmin
            ? "An administrator manages every key, without reading it, and opens this console."
            : "A user manages only keys they created."}
        </span>{" "}
        {isDisabled && <span>The account is disabled: nobody can sign in to it, and its tokens are refused.</span>}
      </p>
      <Actions>
        <Button size="sm" variant="default" onClick={() => setAsking("role")}>
          {isAdmin ? "Take the administrator role" : "Make administrator"}
        </Button>
        {!isOwn && !isDisabled && (
          <Button size="sm" variant="outline" color="red" onClick={() => setAsking("access")}>
            Disable
          </Button>
        )}
        {isDisabled && (
          <Button size="sm" variant="default" onClick={enable} loading={busy}>
            Enable
          </Button>
        )}
      </Actions>
      {isOwn && (
        <p className={styles.soft}>
          This is your own account: another administrator can disable it, or the admin command.
        </p>
      )}
      <ErrorNotice error={error} />
      <SameCommand
        command={`user:role ${username} ${next}`}
        also={`user:${isDisabled ? "enable" : "disable"} ${username}`}
      />
      <ConfirmDialog
        opened={asking === "role"}
        title={isAdmin ? `Take the administrator role from ${username}?` : `Make ${username} an administrator?`}
        confirm={isAdmin ? "Take role" : "Make administrator"}
        action={() => changeRole(username, next)}
        onClose={() => setAsking(null)}
        onDone={() => toast({ text: `${username} is ${isAdmin ? "a user" : "an administrator"} now.` })}
      >
        <p>
          <span>
            {isAdmin
              ? "They keep their own keys and files, and no longer manage others'."
              : "They can manage every key, and do everything in this console, to your account too."}
          </span>
          {isAdmin && isOwn && <span> This is your own account: the console closes for you immediately.</span>}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === "access"}
        title={`Disable ${username}?`}
        confirm="Disable"
        action={() => access(true)}
        onClose={() => setAsking(null)}
        onDone={() => toast({ text: `${username} has been disabled.` })}
      >
        <p>
          They are signed out immediately, and their tokens stop working until you enable the account again. Nothing is
          deleted.
        </p>
      </ConfirmDialog>
    </>
  );
}
