"use client";

import { type ReactNode, useState } from "react";
import { keysLost } from "@/components/content/words";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { useToast } from "@/components/feedback/toast";
import { IconTrash } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import { entriesInWords, seenOf } from "@/lib/platform/bounds";
import type { Losses } from "@/lib/user-data/delete";
import type { Outcome } from "../../action";
import { ConfirmDialog } from "../../confirm-dialog";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
import { changeRole, deleteUser, disable, enable } from "./actions";
import styles from "./users.module.css";

interface RemovalProps<Input> {
  /** The word of the button: End, Remove. */
  verb: string;
  /** What it takes away, as in “Remove Laptop?”. */
  what: string;
  /** The button says what it takes away, because it does not stand beside it. */
  isAlone?: boolean;
  action: (input: Input) => Promise<Outcome<void>>;
  input: Input;
  /** What is said when it is done. */
  done: string;
  /** What it means. */
  children: ReactNode;
}

/** A button that asks before it takes something away from a user. */
export function RemoveButton<Input>(props: RemovalProps<Input>) {
  const { verb, what, isAlone = false, action, input, done, children } = props;
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" aria-label={`${verb} ${what}`} onClick={() => setOpen(true)}>
        {isAlone ? `${verb} ${what}` : verb}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title={`${verb} ${what}?`}
        confirm={verb}
        action={() => action(input)}
        onClose={() => setOpen(false)}
        onDone={() => toast({ text: done })}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  );
}

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
  const [openDialog, setOpenDialog] = useState<"role" | "access" | null>(null);
  const isAdmin = role === "admin";
  const next = isAdmin ? "user" : "admin";

  async function enableAgain() {
    if (await run(() => set(enable))) toast({ text: `${username} has been enabled.` });
  }

  /** One user's result, as of any other action. */
  async function set(access: typeof enable): Promise<Outcome<void>> {
    const outcome = await access([username]);
    if ("error" in outcome) return outcome;
    const refused = outcome.ok[0]?.refused;
    return refused ? { error: refused } : { ok: undefined };
  }

  return (
    <>
      <p className={styles.soft}>
        <span>
          {isAdmin
            ? "An administrator can manage every key without reading it, and can use this console."
            : "A user can manage only the keys they created."}
        </span>{" "}
        {isDisabled && <span>The account is disabled: nobody can sign in to it, and its tokens are refused.</span>}
      </p>
      <Actions>
        <Button size="sm" variant="default" onClick={() => setOpenDialog("role")}>
          {isAdmin ? "Remove administrator role" : "Make administrator"}
        </Button>
        {!isOwn && !isDisabled && (
          <Button size="sm" variant="outline" color="red" onClick={() => setOpenDialog("access")}>
            Disable
          </Button>
        )}
        {isDisabled && (
          <SteadyButton size="sm" variant="default" onClick={enableAgain} loading={busy}>
            Enable
          </SteadyButton>
        )}
      </Actions>
      {isOwn && (
        <p className={styles.soft}>
          This is your own account. Only another administrator or the admin command can disable it.
        </p>
      )}
      <ErrorNotice error={error} />
      <ConfirmDialog
        opened={openDialog === "role"}
        title={isAdmin ? `Remove the administrator role from ${username}?` : `Make ${username} an administrator?`}
        confirm={isAdmin ? "Remove role" : "Make administrator"}
        action={() => changeRole({ username, role: next })}
        onClose={() => setOpenDialog(null)}
        onDone={() => toast({ text: `${username} is ${isAdmin ? "a user" : "an administrator"}.` })}
      >
        <p>
          <span>
            {isAdmin
              ? "They keep their own keys and files, but can no longer manage other people's."
              : "They can manage every key and use everything in this console, also on your account."}
          </span>
          {isAdmin && isOwn && <span> This is your own account. You lose access to this console immediately.</span>}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={openDialog === "access"}
        title={`Disable ${username}?`}
        confirm="Disable"
        action={() => set(disable)}
        onClose={() => setOpenDialog(null)}
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

/** Deletes a user after their name was typed, and shows first what is lost, to whom. */
export function DeleteUser({ username, losses }: { username: string; losses: Losses }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [isOpen, setOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    if (!(await run(deleteUser, { username, confirmation: String(fields.get("name")) }))) return;
    setLeaving(true);
    window.location.assign("/admin/users");
  }

  function open() {
    clear();
    setOpen(true);
  }

  return (
    <>
      <p className={styles.soft}>{`${keysLost(losses, "they")} ${filesSentence(losses)}`}</p>
      <Actions>
        <Button size="sm" variant="outline" color="red" onClick={open} leftSection={<IconTrash size={16} />}>
          Delete user
        </Button>
      </Actions>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={`Delete ${username}?`}>
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
          <p>This can't be undone. It takes effect immediately:</p>
          <ul className={styles.losses}>
            <li>{keysLost(losses, "they")}</li>
            <li>{filesSentence(losses)}</li>
            <li>All tokens stop working, and all browsers are signed out.</li>
            <li>{`The username ${username} can never be used again.`}</li>
          </ul>
          <TextInput
            label="Username"
            name="name"
            description={`Type ${username} to confirm.`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={errorAt("username")}
          />
          <ErrorNotice error={error} />
          <Actions>
            <SteadyButton type="submit" color="red" loading={busy || leaving}>
              Delete user
            </SteadyButton>
            <Button variant="default" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </Actions>
        </Form>
      </Dialog>
    </>
  );
}

const filesSentence = ({ files }: Losses) =>
  seenOf(files.entries) > 0 ? `${entriesInWords(files.entries)} will be deleted.` : "They have no files.";
