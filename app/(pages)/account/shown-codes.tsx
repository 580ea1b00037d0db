"use client";

import { useEffect } from "react";
import { Button, LinkButton } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { IconDownload, IconPrinter } from "@/components/icons";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import styles from "./shown-codes.module.css";

interface ShownCodesProps {
  username: string;
  codes: string[];
  /** Whether they were copied or downloaded. Nobody tells a page whether it was printed. */
  isSaved: boolean;
  /** The user wanted to leave before. */
  isWarned: boolean;
  onSaved: () => void;
  onDone: () => void;
}

/** The codes, before they are forgotten: to copy, download or print. */
export function ShownCodes({ username, codes, isSaved, isWarned, onSaved, onDone }: ShownCodesProps) {
  const title = `Recovery codes of ${username}`;
  const text = `${title}\n${window.location.origin}/recover\n\n${codes.join("\n")}\n`;

  // The browser asks before the page is left.
  useEffect(() => {
    if (isSaved) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isSaved]);

  return (
    <>
      <p role="status">Store these codes now. They can't be shown again.</p>
      <div className={styles.sheet}>
        <p className={styles.onPaper}>{`${title}: ${window.location.origin}/recover`}</p>
        <ol className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code translate="no">{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <Notice kind="error">
        {isWarned &&
          !isSaved &&
          "You'd lose these codes. Copy or download them first, or print them and press “I've saved them”."}
      </Notice>
      <Actions>
        <CopyButton isMain text={text} onCopied={onSaved} />
        <LinkButton
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`latchkey-${username}-recovery-codes.txt`}
          size="sm"
          variant="default"
          onClick={onSaved}
          leftSection={<IconDownload size={16} />}
        >
          Download
        </LinkButton>
        <Button size="sm" variant="default" onClick={() => window.print()} leftSection={<IconPrinter size={16} />}>
          Print
        </Button>
        <Button size="sm" variant="default" onClick={onDone}>
          {isSaved ? "Done" : "I've saved them"}
        </Button>
      </Actions>
    </>
  );
}
