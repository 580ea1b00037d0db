"use client";

import { Button } from "@/components/button";
import { PasswordField } from "@/components/password-field";
import { reveal } from "../../account/actions";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
import { useOwnToken } from "./own-token";
import styles from "./try.module.css";

interface TokenFieldProps {
  label: string;
  value: string;
  onChange: (token: string) => void;
}

/** The token to send. A signed-in reader fetches their own with a press; until then it is not on the page. */
export function UserTokenField() {
  const { isSignedIn, token, setToken } = useOwnToken();
  const { run, busy, error } = useAction();

  async function fetchOwn() {
    const answer = await run(reveal);
    if (answer) setToken(answer.ok.text);
  }

  return (
    <div className={styles.token}>
      <TokenField label="Token" value={token} onChange={setToken} />
      {isSignedIn ? (
        <Button variant="default" onClick={fetchOwn} loading={busy}>
          Use my token
        </Button>
      ) : (
        <p className={styles.hint}>
          Your token is on <a href="/account">your account page</a>.
        </p>
      )}
      <ErrorNotice error={error} />
    </div>
  );
}

/** A field whose content nobody can read over a shoulder, and that no browser remembers. */
export function TokenField({ label, value, onChange }: TokenFieldProps) {
  return (
    <PasswordField
      what="token"
      required={false}
      label={label}
      description="Sent as Authorization: Bearer"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
