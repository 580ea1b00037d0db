"use client";

import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { PasswordField } from "@/components/form";
import { MIN_PASSWORD } from "@/lib/platform/bounds";
import styles from "./signing-in.module.css";

/** 0 (guessed immediately) to 4 (practically never). */
type Strength = 0 | 1 | 2 | 3 | 4;

/** Loads the password meter: it is large, so only when somebody is about to enter a new password. */
async function loadMeter(): Promise<(password: string) => Strength> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (password) => factory.check(password.slice(0, 100)).score;
}

const WORDS: Record<Strength, string> = {
  0: "Very easy to guess",
  1: "Easy to guess",
  2: "Could be stronger",
  3: "Good",
  4: "Very good",
};

type Meter = Awaited<ReturnType<typeof loadMeter>>;

interface NewPasswordInputProps {
  label: string;
  /** What else there is to say of it. */
  advice: string;
}

/** A field for a new password, which shows its strength while typing. The server decides whether it is allowed. */
export function NewPasswordInput({ label, advice }: NewPasswordInputProps) {
  const [password, setPassword] = useState("");
  const [meter, setMeter] = useState<Meter | null>(null);
  const field = useRef<HTMLInputElement>(null);

  // Includes text typed before this script had loaded.
  useEffect(() => setPassword(field.current?.value ?? ""), []);

  // If it cannot be loaded, there is no hint.
  const load = () =>
    void loadMeter().then(
      (loaded) => setMeter(() => loaded),
      () => {},
    );

  const isShort = [...password].length < MIN_PASSWORD;
  const strength = isShort ? 0 : (meter?.(password) ?? null);
  const words = password === "" ? "" : isShort ? "Too short" : strength === null ? "" : WORDS[strength];
  return (
    <div>
      <PasswordField
        ref={field}
        label={label}
        name="password"
        description={`At least ${MIN_PASSWORD} characters. ${advice}`}
        autoComplete="new-password"
        onFocus={meter ? undefined : load}
        onChange={(event: ChangeEvent<HTMLInputElement>) => setPassword(event.currentTarget.value)}
      />
      <div className={styles.hint} data-strength={words === "" ? undefined : strength}>
        <span className={styles.bar} aria-hidden="true" />
        <span role="status">{words}</span>
      </div>
    </div>
  );
}
