"use client";

import { useState } from "react";
import { keysLost } from "@/components/content/words";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { PasswordField } from "@/components/controls/password-field";
import { SteadyButton } from "@/components/controls/steady-button";
import { UserField } from "@/components/controls/user-field";
import { Dialog } from "@/components/feedback/dialog";
import { Notice } from "@/components/feedback/notice";
import { IconTrash } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import { counted, entriesInWords, seenOf } from "@/lib/platform/bounds";
import type { Losses } from "@/lib/user-data/delete";
import type { Outcome } from "../action";
import { ErrorNotice } from "../error-notice";
import { offerAll } from "../keys/actions";
import { acceptedPasskeys } from "../passkeys/actions";
import { webauthn } from "../passkeys/ceremonies";
import { useAction } from "../use-action";
import { removeAccount } from "./actions";
import styles from "./page.module.css";

/** Offers all keys of the user to somebody else, before they are deleted with the account. */
function OfferAllKeys({ keys: count, offered }: { keys: number; offered: number }) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const all = count === 1 ? "your key" : `your ${count.toLocaleString("en")} keys`;

  async function submit(fields: FormData) {
    const offer = await run(offerAll, { username: String(fields.get("username")), expectedCount: count });
    if (offer) setDone(`Offered to ${offer.ok.user}. Wait until they accept before you delete your account.`);
  }

  return (
    <>
      <p className={styles.soft}>
        Others may rely on <span>{all}</span>. To keep <span>{count === 1 ? "it" : "them"}</span> alive, hand{" "}
        <span>{count === 1 ? "it" : "them"}</span> over first.
        {offered > 0 && <span>{` ${keysAre(offered)} offered but not accepted yet.`}</span>}
      </p>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.row}>
        <UserField label={`Offer ${all} to`} error={errorAt("username")} />
        <SteadyButton type="submit" variant="default" loading={busy}>
          Offer
        </SteadyButton>
      </Form>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
    </>
  );
}

const keysAre = (count: number) => (count === 1 ? "1 key is" : `${count.toLocaleString("en")} keys are`);

/** Deletes the account, and tells the browser that it has no passkeys any more. */
async function removeWithPasskeys(name: string, password: string): Promise<Outcome<void>> {
  // Asked first: afterwards nobody is signed in. Telling the browser is no part of deleting, so it may fail.
  const accepted = await acceptedPasskeys().catch(() => null);
  const removed = await removeAccount({ username: name, password });
  if (accepted && "ok" in accepted && !("error" in removed))
    await webauthn().then(
      ({ signalAccepted }) => signalAccepted({ ...accepted.ok, ids: [] }),
      () => {},
    );
  return removed;
}

interface DeleteAccountProps {
  username: string;
  needsPassword: boolean;
  losses: Losses;
  /** How many programs hold the account's token or one of their own. */
  programs: number;
}

/** Deletes the account after its name and password were entered, and shows first what is lost. */
export function DeleteAccount({ username, needsPassword, losses, programs }: DeleteAccountProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [isOpen, setOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);

  function open() {
    clear();
    setOpen(true);
  }

  async function submit(fields: FormData) {
    const [name, password] = [String(fields.get("name")), String(fields.get("password") ?? "")];
    if (!(await run(() => removeWithPasskeys(name, password)))) return;
    setLeaving(true);
    window.location.assign("/?deleted");
  }

  return (
    <>
      {losses.keys > 0 && <OfferAllKeys keys={losses.keys} offered={losses.offered} />}
      <p className={styles.soft}>
        This deletes your account and everything in it. Export your data first if you want to keep it.
      </p>
      <Actions>
        <Button size="sm" variant="outline" color="red" onClick={open} leftSection={<IconTrash size={16} />}>
          Delete account
        </Button>
      </Actions>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Delete your account?">
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
          <p>This can't be undone. It takes effect immediately:</p>
          <ul className={styles.losses}>
            <li>{keysLost(losses, "you")}</li>
            <li>
              {seenOf(losses.files.entries) > 0
                ? `You lose ${entriesInWords(losses.files.entries)}.`
                : "You have no files."}
            </li>
            <li>
              {programs > 0
                ? `${counted(programs, "program loses", "programs lose")} access. All tokens stop working.`
                : "Your account's token stops working."}
            </li>
            <li>{`The username ${username} can never be used again, not even by you.`}</li>
          </ul>
          <TextInput
            label="Your username"
            name="name"
            description={`Type ${username} to confirm.`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={errorAt("username")}
          />
          {needsPassword && (
            <PasswordField
              label="Your password"
              name="password"
              autoComplete="current-password"
              error={errorAt("current password")}
            />
          )}
          <ErrorNotice error={error} />
          <Actions>
            <SteadyButton type="submit" color="red" loading={busy || leaving}>
              Delete my account
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
