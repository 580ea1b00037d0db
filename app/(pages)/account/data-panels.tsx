"use client";

import { LinkButton } from "@/components/buttons";
import { PasswordField, TypedName, UserField } from "@/components/form";
import { IconDownload, IconTrash } from "@/components/icons";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { keysLost } from "@/components/words";
import { counted, entriesInWords, seenOf } from "@/lib/platform/bounds";
import type { Losses } from "@/lib/user-data/delete";
import { useProvenDownload } from "../_signing-in/identity-prompt";
import { acceptedPasskeys } from "../_signing-in/passkey-actions";
import { webauthn } from "../_signing-in/passkeys";
import type { Outcome } from "../action";
import { AskButton } from "../action-dialog";
import { ActionForm, Submit } from "../action-form";
import { ErrorNotice } from "../error-notice";
import { leaveFor } from "../use-action";
import { offerAll, removeAccount } from "./actions";
import styles from "./page.module.css";

/** The link to the archive of all of the user's data. The user may have to confirm who they are first. */
export function Download() {
  const { confirmFirst, error } = useProvenDownload();
  return (
    <>
      <p className="soft">One archive of your account, keys and files. It contains secrets, so store it safely.</p>
      <ErrorNotice error={error} />
      <Actions>
        <LinkButton
          href="/account/archive"
          download
          onClick={confirmFirst}
          size="sm"
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          Download everything
        </LinkButton>
      </Actions>
    </>
  );
}

/** Offers all keys of the user to somebody else, before they are deleted with the account. */
function OfferAllKeys({ keys: count, offered }: { keys: number; offered: number }) {
  const all = count === 1 ? "your key" : `your ${count.toLocaleString("en")} keys`;
  return (
    <>
      <p className="soft">
        Others may rely on <span>{all}</span>. To keep <span>{count === 1 ? "it" : "them"}</span> alive, hand{" "}
        <span>{count === 1 ? "it" : "them"}</span> over first.
        {offered > 0 && <span>{` ${keysAre(offered)} offered but not accepted yet.`}</span>}
      </p>
      <ActionForm
        action={offerAll}
        input={{ expectedCount: count }}
        done={({ user }) => `Offered to ${user}. Wait until they accept before you delete your account.`}
        isRow
      >
        <UserField label={`Offer ${all} to`} />
        <Submit as={SteadyButton} variant="default">
          Offer
        </Submit>
      </ActionForm>
    </>
  );
}

const keysAre = (count: number) => (count === 1 ? "1 key is" : `${count.toLocaleString("en")} keys are`);

/** Deletes the account, and tells the browser that it has no passkeys any more. */
async function removeWithPasskeys(confirmation: { username: string; password: string }): Promise<Outcome<void>> {
  // Asked first: afterwards nobody is signed in. Telling the browser is no part of deleting, so it may fail.
  const accepted = await acceptedPasskeys().catch(() => null);
  const removed = await removeAccount(confirmation);
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
  return (
    <>
      {losses.keys > 0 && <OfferAllKeys keys={losses.keys} offered={losses.offered} />}
      <p className="soft">
        This deletes your account and everything in it. Export your data first if you want to keep it.
      </p>
      <Actions>
        <AskButton
          button={{
            variant: "outline",
            color: "red",
            leftSection: <IconTrash size={16} />,
            children: "Delete account",
          }}
          title="Delete your account?"
          submit="Delete my account"
          color="red"
          action={removeWithPasskeys}
          input={(text) => ({ username: text("username"), password: text("current") })}
          onDone={() => leaveFor("/?deleted")}
        >
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
          <TypedName label="Your username" name={username} />
          {needsPassword && <PasswordField label="Your password" name="current" autoComplete="current-password" />}
        </AskButton>
      </Actions>
    </>
  );
}
