"use client";

import type { ReactNode } from "react";
import { TypedName } from "@/components/form";
import { IconTrash } from "@/components/icons";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { keysLost } from "@/components/words";
import { entriesInWords, seenOf } from "@/lib/platform/bounds";
import type { Losses } from "@/lib/user-data/delete";
import type { Outcome } from "../../action";
import { AskButton } from "../../action-dialog";
import { ActionButton, type Work } from "../../action-form";
import { leaveFor } from "../../use-action";
import { changeRole, deleteUser, disable, enable } from "./actions";
import styles from "./users.module.css";

interface RemovalProps<Input> extends Work<Input, void> {
  /** The word of the button: End, Remove. */
  verb: string;
  /** What it takes away, as in “Remove Laptop?”. */
  what: string;
  /** The button says what it takes away, because it does not stand beside it. */
  isAlone?: boolean;
  input: Input;
  /** What it means. */
  children: ReactNode;
}

/** A button that asks before it takes something away from a user. */
export function RemoveButton<Input>(props: RemovalProps<Input>) {
  const { verb, what, isAlone = false, input, children, ...work } = props;
  return (
    <AskButton
      button={{ size: "xs", "aria-label": `${verb} ${what}`, children: isAlone ? `${verb} ${what}` : verb }}
      {...work}
      title={`${verb} ${what}?`}
      submit={verb}
      color="red"
      input={() => input}
    >
      <p>{children}</p>
    </AskButton>
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
  const isAdmin = role === "admin";

  /** One user's result, as of any other action. */
  async function set(access: typeof enable): Promise<Outcome<void>> {
    const outcome = await access([username]);
    if ("error" in outcome) return outcome;
    const refused = outcome.ok[0]?.refused;
    return refused ? { error: refused } : { ok: undefined };
  }

  return (
    <>
      <p className="soft">
        <span>
          {isAdmin
            ? "An administrator can manage every key without reading it, and can use this console."
            : "A user can manage only the keys they created."}
        </span>{" "}
        {isDisabled && <span>The account is disabled: nobody can sign in to it, and its tokens are refused.</span>}
      </p>
      <Actions>
        <AskButton
          button={{ children: isAdmin ? "Remove administrator role" : "Make administrator" }}
          title={isAdmin ? `Remove the administrator role from ${username}?` : `Make ${username} an administrator?`}
          submit={isAdmin ? "Remove role" : "Make administrator"}
          color="red"
          action={changeRole}
          input={{ username, role: isAdmin ? "user" : "admin" }}
          done={`${username} is ${isAdmin ? "a user" : "an administrator"}.`}
        >
          <p>
            <span>
              {isAdmin
                ? "They keep their own keys and files, but can no longer manage other people's."
                : "They can manage every key and use everything in this console, also on your account."}
            </span>
            {isAdmin && isOwn && <span> This is your own account. You lose access to this console immediately.</span>}
          </p>
        </AskButton>
        {!isOwn && !isDisabled && (
          <AskButton
            button={{ variant: "outline", color: "red", children: "Disable" }}
            title={`Disable ${username}?`}
            submit="Disable"
            color="red"
            action={() => set(disable)}
            done={`${username} has been disabled.`}
          >
            <p>
              They are signed out immediately, and their tokens stop working until you enable the account again. Nothing
              is deleted.
            </p>
          </AskButton>
        )}
        {isDisabled && (
          <ActionButton as={SteadyButton} size="sm" action={() => set(enable)} done={`${username} has been enabled.`}>
            Enable
          </ActionButton>
        )}
      </Actions>
      {isOwn && (
        <p className="soft">
          This is your own account. Only another administrator or the admin command can disable it.
        </p>
      )}
    </>
  );
}

/** Deletes a user after their name was typed, and shows first what is lost, to whom. */
export function DeleteUser({ username, losses }: { username: string; losses: Losses }) {
  return (
    <>
      <p className="soft">{`${keysLost(losses, "they")} ${filesSentence(losses)}`}</p>
      <Actions>
        <AskButton
          button={{ variant: "outline", color: "red", leftSection: <IconTrash size={16} />, children: "Delete user" }}
          title={`Delete ${username}?`}
          submit="Delete user"
          color="red"
          action={deleteUser}
          input={(text) => ({ username, confirmation: text("username") })}
          onDone={() => leaveFor("/admin/users")}
        >
          <p>This can't be undone. It takes effect immediately:</p>
          <ul className={styles.losses}>
            <li>{keysLost(losses, "they")}</li>
            <li>{filesSentence(losses)}</li>
            <li>All tokens stop working, and all browsers are signed out.</li>
            <li>{`The username ${username} can never be used again.`}</li>
          </ul>
          <TypedName label="Username" name={username} />
        </AskButton>
      </Actions>
    </>
  );
}

const filesSentence = ({ files }: Losses) =>
  seenOf(files.entries) > 0 ? `${entriesInWords(files.entries)} will be deleted.` : "They have no files.";
