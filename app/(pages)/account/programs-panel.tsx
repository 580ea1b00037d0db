"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { ProgramList } from "@/components/link/program-list";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import type { LinkedProgram } from "@/lib/link/programs";
import styles from "./page.module.css";
import { RotateDialog } from "./rotate-dialog";

/** The programs that can act for the user, and the way to stop them. They share one token, so one stops with all. */
export function ProgramsPanel({ programs }: { programs: LinkedProgram[] }) {
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState("");

  return (
    <>
      {programs.length > 0 ? (
        <>
          <ProgramList programs={programs} />
          <p className={styles.soft}>They share your token. Taking it from one takes it from all: link those again that you want to keep.</p>
          <Actions>
            <Button size="sm" variant="default" onClick={() => setAsking(true)}>
              Take access away
            </Button>
          </Actions>
        </>
      ) : (
        <p className={styles.soft}>
          No program is linked. When one shows you six letters, <a href="/link">enter them</a>.
        </p>
      )}
      <Notice kind="done">{done}</Notice>
      <RotateDialog
        title="Take access away?"
        programs={programs}
        opened={asking}
        onClose={() => setAsking(false)}
        onRotated={() => setDone("Access is taken away. Every program that had your token has stopped.")}
      />
    </>
  );
}
