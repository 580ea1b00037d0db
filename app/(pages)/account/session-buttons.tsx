"use client";

import { Button } from "@mantine/core";
import { signOut } from "next-auth/react";
import { useState } from "react";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { UNREACHABLE } from "../unreachable";
import { signOutElsewhere } from "./actions";

/** Signs out of this browser, or of every other one. */
export function SessionButtons() {
  const [error, setError] = useState("");
  const [done, setDone] = useState("");
  const [busy, setBusy] = useState<"here" | "elsewhere" | null>(null);

  async function here() {
    setBusy("here");
    setError("");
    try {
      await signOut({ redirect: false });
      window.location.assign("/");
    } catch {
      setError(UNREACHABLE);
      setBusy(null);
    }
  }

  async function elsewhere() {
    setBusy("elsewhere");
    setError("");
    setDone("");
    const answer = await signOutElsewhere().catch(() => ({ error: UNREACHABLE }));
    setBusy(null);
    if ("error" in answer) return setError(answer.error);
    setDone("Every other browser is signed out.");
  }

  return (
    <>
      <Actions>
        <Button size="sm" variant="default" onClick={here} loading={busy === "here"} disabled={busy === "elsewhere"}>
          Sign out
        </Button>
        <Button size="sm" variant="default" onClick={elsewhere} loading={busy === "elsewhere"} disabled={busy === "here"}>
          Sign out other browsers
        </Button>
      </Actions>
      <Notice kind="error">{error}</Notice>
      <Notice kind="done">{done}</Notice>
    </>
  );
}
