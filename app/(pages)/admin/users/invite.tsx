"use client";

import { useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { SelectField, UserField } from "@/components/form";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { When } from "@/components/time";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { ActionButton, ActionForm, Submit } from "../../action-form";
import { invite, linkToRecover } from "./actions";
import styles from "./users.module.css";

/** A link that was just created. */
interface NewLink {
  link: string;
  expiresAt: Date;
}

/** The link, which is shown only now. */
function ShownLink({ link: { link, expiresAt } }: { link: NewLink }) {
  return (
    <div className={styles.shown} role="status">
      <code translate="no">{link}</code>
      <CopyButton text={link} label="Copy link" isMain />
      <p className="soft">
        It is shown only once, and works until <When at={expiresAt} precise />.
      </p>
    </div>
  );
}

/** Creates a link with which a user sets a new password, and shows it once. */
export function RecoveryLink({ username, isDisabled }: { username: string; isDisabled: boolean }) {
  const [newLink, setNewLink] = useState<NewLink | null>(null);
  return (
    <>
      <p className="soft">
        {isDisabled
          ? "Enable the account first."
          : `${username} can use it to set a new password or passkey. It works once, for ` +
            `${durationInWords(LINK_HOURS * 3_600)}, and replaces any earlier link. Send it only to this user.`}
      </p>
      <Actions>
        <ActionButton
          as={SteadyButton}
          size="sm"
          action={linkToRecover}
          input={username}
          onDone={setNewLink}
          disabled={isDisabled}
        >
          Create recovery link
        </ActionButton>
      </Actions>
      {newLink && <ShownLink link={newLink} />}
    </>
  );
}

/** Creates a link with which somebody opens an account, and shows it once. */
export function Invite() {
  const [newLink, setNewLink] = useState<NewLink | null>(null);
  return (
    <>
      <p className="soft">
        The link creates one account, even while sign-up is closed. It works once, for{" "}
        <span>{durationInWords(LINK_HOURS * 3_600)}</span>. Send it only to the person it's for.
      </p>
      <ActionForm action={invite} onDone={setNewLink} isRow>
        <UserField label="Username" placeholder="They choose one" required={false} maxLength={20} />
        <SelectField
          label="Role"
          name="role"
          data={[
            { value: "user", label: "User" },
            { value: "admin", label: "Administrator" },
          ]}
        />
        <Submit as={SteadyButton} variant="default">
          Create invitation
        </Submit>
      </ActionForm>
      {newLink && <ShownLink link={newLink} />}
    </>
  );
}
