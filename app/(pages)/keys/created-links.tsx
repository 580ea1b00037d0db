import { Button, LinkButton } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { Actions } from "@/components/panel";
import styles from "./keys.module.css";

interface CreatedLinksProps {
  keyId: string;
  count: number;
  first: string;
  csv: string;
  onClose: () => void;
}

/** New links, to copy or download: they are stored as hashes only. */
export function CreatedLinks({ keyId, count, first, csv, onClose }: CreatedLinksProps) {
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`;
  return (
    <>
      <p role="status">
        {count === 1
          ? "Copy the link now: it is shown only once."
          : `${count.toLocaleString("en")} links have been created. Download them now: they are shown only once.`}
      </p>
      {count === 1 && (
        <code translate="no" className={styles.link}>
          {first}
        </code>
      )}
      <Actions>
        {count === 1 ? (
          <CopyButton text={first} label="Copy link" isMain />
        ) : (
          <LinkButton size="sm" href={href} download={`claim-links-${keyId.slice(0, 8)}.csv`} autoFocus>
            Download as CSV
          </LinkButton>
        )}
        <Button size="sm" variant="default" onClick={onClose}>
          Done
        </Button>
      </Actions>
    </>
  );
}
