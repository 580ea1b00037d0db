"use client";

import { PasswordInput } from "@mantine/core";
import { type ChangeEvent, useEffect, useId, useRef, useState } from "react";
import styles from "./new-password-input.module.css";
import { loadJudge, type Strength } from "./strength";

const SHORTEST = 8;
const WORDS: Record<Strength, string> = {
  0: "One of the first guesses",
  1: "Easy to guess",
  2: "Could be guessed with patience",
  3: "Good",
  4: "Very good",
};

type Judge = Awaited<ReturnType<typeof loadJudge>>;

/** A field for a new password, which says how strong it is while it is typed. The server judges whether it is allowed, and `error` is what it says. */
export function NewPasswordInput({ label, name, description, error }: { label: string; name: string; description: string; error: string | undefined }) {
  const [password, setPassword] = useState("");
  const [judge, setJudge] = useState<Judge | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  // What was typed before this script had loaded counts too.
  useEffect(() => setPassword(field.current?.value ?? ""), []);

  // Where it cannot be loaded, there is no hint.
  const load = () =>
    void loadJudge().then(
      (loaded) => setJudge(() => loaded),
      () => {},
    );

  const isShort = [...password].length < SHORTEST;
  const strength = isShort ? 0 : (judge?.(password) ?? null);
  const words = password === "" ? "" : isShort ? "Too short yet" : strength === null ? "" : WORDS[strength];
  return (
    <div>
      <PasswordInput
        ref={field}
        label={label}
        name={name}
        description={description}
        autoComplete="new-password"
        required
        onFocus={judge ? undefined : load}
        onChange={(event: ChangeEvent<HTMLInputElement>) => setPassword(event.currentTarget.value)}
        error={error}
        aria-invalid={error !== undefined}
        aria-describedby={id}
        visibilityToggleButtonProps={{ "aria-label": "Show or hide what was typed" }}
      />
      <div className={styles.hint} data-strength={words === "" ? undefined : strength}>
        <span className={styles.bar} aria-hidden="true" />
        <span id={id} role="status">
          {words}
        </span>
      </div>
    </div>
  );
}
