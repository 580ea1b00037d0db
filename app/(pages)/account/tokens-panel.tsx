"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { Choices } from "@/components/checkbox";
import { CopyButton } from "@/components/copy-button";
import { TextInput } from "@/components/form";
import { IconPlus, IconSearch } from "@/components/icons";
import { Actions } from "@/components/page";
import { ACCESS_WORDS, ENDS } from "@/components/words";
import type { ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/list";
import { ACCESSES } from "@/lib/platform/access";
import { searchable } from "@/lib/platform/fold-case";
import { ActionDialog } from "../action-dialog";
import { createOwnToken, removeOwnToken } from "./actions";
import styles from "./page.module.css";
import { RotateDialog } from "./token-panel";
import { programRows, type Row, TokenTable } from "./token-table";

/** Asks for a new token's name, access and end, creates it, and shows it this once. */
function NewTokenDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActionDialog
      title="New token"
      submit="Create token"
      action={createOwnToken}
      titleOf={({ name }) => `Token of ${name}`}
      shows={({ text }) => <ShownOnce token={text} onDone={onClose} />}
      onClose={onClose}
    >
      <TextInput label="Name" name="name" description="The program it's for." autoComplete="off" required />
      <Choices
        name="access"
        legend="What it may do"
        initial="read"
        choices={ACCESSES.toReversed().map((access) => ({ value: access, label: ACCESS_WORDS[access] }))}
      />
      <TextInput
        label="Server"
        name="audience"
        description="Optional: the server to which it can prove that it's you. Otherwise one that has the name above."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Choices name="ends" legend="Expires" initial="never" choices={ENDS} inline />
    </ActionDialog>
  );
}

/** The token, before it is forgotten. */
function ShownOnce({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <>
      <p role="status">Copy the token now, and give it to your program. It can't be shown again.</p>
      <code translate="no" className={styles.token}>
        {token}
      </code>
      <Actions>
        <CopyButton isMain text={token} />
        <Button size="sm" variant="default" onClick={onDone}>
          Done
        </Button>
      </Actions>
    </>
  );
}

interface RemoveTokenDialogProps {
  row: Row;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before a token is removed. */
function RemoveTokenDialog({ row: { id, name, state }, ...dialog }: RemoveTokenDialogProps) {
  return (
    <ActionDialog
      title={`Remove ${name}?`}
      submit="Remove"
      color="red"
      action={removeOwnToken}
      input={() => id}
      done={`${name} has been removed. Its token no longer works.`}
      {...dialog}
    >
      <p>
        {state === "ended"
          ? "Its token has expired. This removes it from the list."
          : "Its token stops working immediately. No other program is affected. This can't be undone."}
      </p>
    </ActionDialog>
  );
}

/** Further rows are shown on request, and with them a field to filter by name. */
const SHOWN = 20;
const MAX_PROGRAMS = 200;

interface TokensPanelProps {
  /** The programs that hold the account's token. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
}

/** Everything that can act for the user, each with a way to stop it, and a way to create a token by hand. */
export function TokensPanel({ programs, tokens }: TokensPanelProps) {
  const [filter, setFilter] = useState("");
  const [showsAll, setShowsAll] = useState(false);
  const [creating, setCreating] = useState(false);
  const [removing, setRemoving] = useState<Row | null>(null);
  const [stops, setStops] = useState(0);
  const newToken = useRef<HTMLButtonElement>(null);
  const dialog = { onClose: () => setRemoving(null), onDone: () => setStops(stops + 1) };

  const rows = programRows(programs.slice(0, MAX_PROGRAMS), tokens);
  const isLong = rows.length > SHOWN;
  const query = isLong ? searchable(filter.trim()) : "";
  const matches = query === "" ? rows : rows.filter(({ name }) => searchable(name).includes(query));
  const shown = showsAll ? matches : matches.slice(0, SHOWN);

  // The pressed button has disappeared, and the keyboard focus with it.
  useEffect(() => {
    if (stops > 0) newToken.current?.focus();
  }, [stops]);

  return (
    <>
      {isLong && (
        <TextInput
          type="search"
          size="sm"
          aria-label="Filter by name"
          placeholder="Filter by name"
          autoComplete="off"
          maxLength={100}
          leftSection={<IconSearch size={16} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {shown.length > 0 ? (
        <TokenTable rows={shown} onRemove={setRemoving} />
      ) : (
        <p className="soft">
          {rows.length > 0 ? (
            "No program or token has this name."
          ) : (
            <span>
              No programs linked. When a program shows you a code, <a href="/link">enter it here</a>.
            </span>
          )}
        </p>
      )}
      {programs.length > MAX_PROGRAMS && (
        <p className="soft">{`Only the latest ${MAX_PROGRAMS} programs with your account's token are listed.`}</p>
      )}
      <Actions>
        {matches.length > shown.length && (
          <Button size="sm" variant="default" onClick={() => setShowsAll(true)}>
            {`Show all ${matches.length.toLocaleString("en")}`}
          </Button>
        )}
        <Button
          ref={newToken}
          size="sm"
          variant="default"
          onClick={() => setCreating(true)}
          leftSection={<IconPlus size={16} />}
        >
          New token
        </Button>
      </Actions>
      {creating && <NewTokenDialog onClose={() => setCreating(false)} />}
      {removing?.isAccounts === false && <RemoveTokenDialog row={removing} {...dialog} />}
      {removing?.isAccounts && (
        <RotateDialog
          title={`Remove ${removing.name}?`}
          reason="It uses your account's token, so you can only stop it together with all other programs that use it."
          programs={programs}
          tokens={tokens}
          done="Your account's token has been rotated. Programs with the old one can no longer use it."
          {...dialog}
        />
      )}
    </>
  );
}
