"use client";

import { useState } from "react";
import { When } from "@/components/content/time";
import { CopyButton } from "@/components/controls/copy-button";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { SelectField } from "@/components/controls/select-field";
import { SteadyButton } from "@/components/controls/steady-button";
import { UserField } from "@/components/controls/user-field";
import { Actions } from "@/components/frame/panel";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
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
      <p className={styles.soft}>
        It is shown only once, and works until <When at={expiresAt} precise />.
      </p>
    </div>
  );
}

/** Creates a link with which a user sets a new password, and shows it once. */
export function RecoveryLink({ username, isDisabled }: { username: string; isDisabled: boolean }) {
  const { run, busy, error } = useAction();
  const [newLink, setNewLink] = useState<NewLink | null>(null);

  async function make() {
    setNewLink(null);
    const done = await run(linkToRecover, username);
    if (done) setNewLink(done.ok);
  }

  return (
    <>
      <p className={styles.soft}>
        {isDisabled
          ? "Enable the account first."
          : `${username} can use it to set a new password or passkey. It works once, for ` +
            `${durationInWords(LINK_HOURS * 3_600)}, and replaces any earlier link. Send it only to this user.`}
      </p>
      <Actions>
        <SteadyButton size="sm" variant="default" onClick={make} loading={busy} disabled={isDisabled}>
          Create recovery link
        </SteadyButton>
      </Actions>
      <ErrorNotice error={error} />
      {newLink && <ShownLink link={newLink} />}
    </>
  );
}

/** Creates a link with which somebody opens an account, and shows it once. */
export function Invite() {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [newLink, setNewLink] = useState<NewLink | null>(null);
  const [name, setName] = useState("");
  const [role, setRole] = useState<"user" | "admin">("user");

  async function submit() {
    setNewLink(null);
    const done = await run(invite, { username: name.trim() || null, role });
    if (done) setNewLink(done.ok);
  }

  return (
    <>
      <p className={styles.soft}>
        The link creates one account, even while sign-up is closed. It works once, for{" "}
        <span>{durationInWords(LINK_HOURS * 3_600)}</span>. Send it only to the person it's for.
      </p>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.row}>
        <UserField
          label="Username"
          placeholder="They choose one"
          required={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={20}
          error={errorAt("username")}
        />
        <SelectField
          label="Role"
          name="role"
          data={[
            { value: "user", label: "User" },
            { value: "admin", label: "Administrator" },
          ]}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value === "admin" ? "admin" : "user")}
        />
        <SteadyButton type="submit" variant="default" loading={busy}>
          Create invitation
        </SteadyButton>
      </Form>
      <ErrorNotice error={error} />
      {newLink && <ShownLink link={newLink} />}
    </>
  );
}
