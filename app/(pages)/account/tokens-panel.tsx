"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { IconPlus, IconSearch } from "@/components/icons";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import { useToast } from "@/components/toast";
import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import { NewTokenDialog } from "./new-token-dialog";
import styles from "./page.module.css";
import { RemoveTokenDialog } from "./remove-token-dialog";
import { RotateDialog } from "./rotate-dialog";
import { programRows, type Row } from "./token-rows";
import { TokenTable } from "./token-table";

/** Further rows are shown on request, and with them a field to filter by name. */
const SHOWN = 20;
const MOST_PROGRAMS = 200;

interface Props {
  /** The programs that hold the account's token. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
}

/** Everything that can act for the user, each with a way to stop it, and a way to create a token by hand. */
export function TokensPanel({ programs, tokens }: Props) {
  const [filter, setFilter] = useState("");
  const [showsAll, setShowsAll] = useState(false);
  const [creating, setCreating] = useState(false);
  const [removing, setRemoving] = useState<Row | null>(null);
  const [stops, setStops] = useState(0);
  const newToken = useRef<HTMLButtonElement>(null);
  const toast = useToast();

  const rows = programRows(programs.slice(0, MOST_PROGRAMS), tokens);
  const isLong = rows.length > SHOWN;
  const wanted = isLong ? filter.trim().toLowerCase() : "";
  const found = wanted === "" ? rows : rows.filter(({ name }) => name.toLowerCase().includes(wanted));
  const shown = showsAll ? found : found.slice(0, SHOWN);

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
      {programs.length > MOST_PROGRAMS && (
        <p className={styles.soft}>
          {`Of the programs with your account's token, only the latest ${MOST_PROGRAMS} are listed.`}
        </p>
      )}
      <Actions>
        {found.length > shown.length && (
          <Button size="sm" variant="default" onClick={() => setShowsAll(true)}>
            {`Show all ${found.length.toLocaleString("en")}`}
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
        reason="It has your account's token, and can only be stopped together with all other programs that have it."
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
