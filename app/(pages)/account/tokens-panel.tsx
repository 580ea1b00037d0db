"use client";

import { useEffect, useRef, useState } from "react";
import { ACCESS_WORDS } from "@/components/content/words";
import { Button } from "@/components/controls/button";
import { Choices } from "@/components/controls/checkbox";
import { CopyButton } from "@/components/controls/copy-button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { useToast } from "@/components/feedback/toast";
import { IconPlus, IconSearch } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import { ACCESSES } from "@/lib/platform/access";
import { searchable } from "@/lib/platform/fold-case";
import { ConfirmDialog } from "../confirm-dialog";
import { ErrorNotice } from "../error-notice";
import { ENDS } from "../token-ends";
import { useAction } from "../use-action";
import { createOwnToken, type NewToken, removeOwnToken } from "./actions";
import styles from "./page.module.css";
import { RotateDialog } from "./token-panel";
import { programRows, type Row, TokenTable } from "./token-table";

/** Asks for a new token's name, access and end, creates it, and shows it this once. */
function NewTokenDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<NewToken | null>(null);
  const [visit, setVisit] = useState(0);

  function close() {
    setCreated(null);
    setVisit(visit + 1);
    onClose();
  }

  return (
    <Dialog opened={opened} onClose={close} title={created ? `Token of ${created.name}` : "New token"}>
      {created ? (
        <ShownOnce token={created.text} onDone={close} />
      ) : (
        <NewTokenForm key={visit} onCreated={setCreated} onCancel={close} />
      )}
    </Dialog>
  );
}

function NewTokenForm({ onCreated, onCancel }: { onCreated: (token: NewToken) => void; onCancel: () => void }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();

  async function submit(fields: FormData) {
    const created = await run(createOwnToken, Object.fromEntries(fields));
    if (created) onCreated(created.ok);
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
      <TextInput
        label="Name"
        name="name"
        description="The program it's for."
        autoComplete="off"
        required
        error={errorAt("name")}
      />
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
        error={errorAt("audience")}
      />
      <Choices name="ends" legend="Expires" initial="never" choices={ENDS} inline />
      <ErrorNotice error={error} />
      <Actions>
        <SteadyButton type="submit" loading={busy}>
          Create token
        </SteadyButton>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Actions>
    </Form>
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
  /** The token in question; null: none. */
  row: Row | null;
  onClose: () => void;
  /** Gets the name of what was removed. */
  onRemoved: (name: string) => void;
}

/** Asks before a token is removed. */
function RemoveTokenDialog({ row, onClose, onRemoved }: RemoveTokenDialogProps) {
  return (
    <ConfirmDialog
      opened={row !== null}
      title={`Remove ${row?.name}?`}
      confirm="Remove"
      action={() => removeOwnToken(String(row?.id))}
      onClose={onClose}
      onDone={() => onRemoved(String(row?.name))}
    >
      <p>
        {row?.state === "ended"
          ? "Its token has expired. This removes it from the list."
          : "Its token stops working immediately. No other program is affected. This can't be undone."}
      </p>
    </ConfirmDialog>
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
  const toast = useToast();

  const rows = programRows(programs.slice(0, MAX_PROGRAMS), tokens);
  const isLong = rows.length > SHOWN;
  const query = isLong ? searchable(filter.trim()) : "";
  const matches = query === "" ? rows : rows.filter(({ name }) => searchable(name).includes(query));
  const shown = showsAll ? matches : matches.slice(0, SHOWN);

  // The pressed button has disappeared, and the keyboard focus with it.
  useEffect(() => {
    if (stops > 0) newToken.current?.focus();
  }, [stops]);

  function stopped(sentence: string) {
    toast({ text: sentence });
    setStops(stops + 1);
  }

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
        <p className={styles.soft}>
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
        <p className={styles.soft}>
          {`Only the latest ${MAX_PROGRAMS} programs with your account's token are listed.`}
        </p>
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
      <NewTokenDialog opened={creating} onClose={() => setCreating(false)} />
      <RemoveTokenDialog
        row={removing?.isAccounts === false ? removing : null}
        onClose={() => setRemoving(null)}
        onRemoved={(name) => stopped(`${name} has been removed. Its token no longer works.`)}
      />
      <RotateDialog
        title={`Remove ${removing?.name}?`}
        reason="It uses your account's token, so you can only stop it together with all other programs that use it."
        programs={programs}
        tokens={tokens}
        opened={removing?.isAccounts === true}
        onClose={() => setRemoving(null)}
        onRotated={() =>
          stopped("Your account's token has been rotated. Programs with the old one can no longer use it.")
        }
      />
    </>
  );
}
