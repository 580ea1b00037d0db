"use client";

import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Button, LinkButton } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import styles from "./shown-codes.module.css";

/** The codes, before they are forgotten: to copy, download or print. */
export function ShownCodes({ username, codes, onDone }: { username: string; codes: string[]; onDone: () => void }) {
  const [blocked, setBlocked] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const title = `Recovery codes of ${username}`;
  const text = `${title}\n${window.location.origin}/recover\n\n${codes.join("\n")}\n`;

  function select() {
    setBlocked(true);
    if (list.current) window.getSelection()?.selectAllChildren(list.current);
  }

  return (
    <>
      <p role="status">Store these codes now. They can't be shown again.</p>
      <div className={styles.sheet}>
        <p className={styles.onPaper}>
          {title}: {window.location.origin}/recover
        </p>
        <ol ref={list} className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <ErrorNotice error={blocked ? "Your browser blocked copying. Select the codes and copy them manually." : ""} />
      <Actions>
        <CopyButton isMain text={text} onBlocked={select} />
        <LinkButton
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`latchkey-${username}-recovery-codes.txt`}
          size="sm"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download
        </LinkButton>
        <Button
          size="sm"
          variant="default"
          onClick={() => window.print()}
          leftSection={<IconPrinter size={16} aria-hidden />}
        >
          Print
        </Button>
        <Button size="sm" variant="default" onClick={onDone}>
          Done
        </Button>
      </Actions>
    </>
  );
}
