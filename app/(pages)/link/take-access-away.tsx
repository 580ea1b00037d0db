"use client";

import { Button } from "@mantine/core";
import { useActionState } from "react";
import { ProgramList } from "@/components/link/program-list";
import { Notice } from "@/components/notice";
import type { LinkedProgram } from "@/lib/link/programs";
import { UNREACHABLE } from "../unreachable";
import { takeAccessAway } from "./actions";
import styles from "./page.module.css";

/** Names what will stop before it rotates the token. */
export function TakeAccessAway({ programs, isCollected }: { programs: LinkedProgram[]; isCollected: boolean }) {
  const stopping = programs.filter(({ collected }) => collected);
  const [error, submit, busy] = useActionState((before: string) => takeAccessAway(before).catch(() => UNREACHABLE), "");

  return (
    <details className={styles.takeAway}>
      <summary>Not you? Take access away</summary>
      <div className={styles.takeAwayText}>
        <p>
          You get a new token, and the old one stops at once{isCollected ? "" : ", before this program has collected it"}.{" "}
          {stopping.length > 0 ? "These programs stop until you link them again:" : "No other program was linked with it."}
        </p>
        {stopping.length > 0 && <ProgramList programs={stopping} />}
        <p>So does every place where you pasted the token yourself.</p>
        <form action={submit}>
          <Button type="submit" color="red" size="sm" loading={busy}>
            Take access away
          </Button>
        </form>
        <Notice kind="error">{error}</Notice>
      </div>
    </details>
  );
}
