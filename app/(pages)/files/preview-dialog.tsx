"use client";

import { Button, Loader } from "@mantine/core";
import { IconDownload, IconExternalLink } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Dialog } from "@/components/dialog";
import type { Entry } from "@/components/files/entry-list";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { readableBytes } from "@/components/readable-bytes";
import { type Preview, preview } from "./preview";
import styles from "./preview-dialog.module.css";

/** Shows a file, as far as that is safe and of use: text, JSON set out in lines, pictures. Others can be opened by themselves or saved. */
export function PreviewDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const [shown, setShown] = useState<Preview | null>(null);
  const address = `/files/content?id=${entry.id}`;

  useEffect(() => {
    const abort = new AbortController();
    preview(address, abort.signal).then(
      (found) => !abort.signal.aborted && setShown(found),
      () => {},
    );
    return () => abort.abort();
  }, [address]);

  return (
    <Dialog opened onClose={onClose} title={entry.name} wide>
      <div aria-live="polite" className={styles.shown}>
        {!shown && <Loader aria-label="Loading" />}
        {shown?.kind === "text" && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          <pre className={styles.text} tabIndex={0}>
            {shown.text || <i>Empty</i>}
          </pre>
        )}
        {shown?.kind === "picture" && (
          // biome-ignore lint/performance/noImgElement: a person's own file, served by us as it is
          <img src={address} alt={entry.name} className={styles.picture} onError={() => setShown({ kind: "none" })} />
        )}
        {shown?.kind === "none" && <p>This kind of file cannot be shown here.</p>}
        {shown?.kind === "error" && <Notice kind="error">{shown.error}</Notice>}
      </div>
      {shown?.kind === "text" && shown.isCut && <p className={styles.soft}>This is the beginning. The file has {readableBytes(entry.size)}.</p>}
      <Actions>
        <Button component="a" href={`${address}&save`} leftSection={<IconDownload size={16} />}>
          Download
        </Button>
        <Button component="a" href={address} target="_blank" rel="noreferrer" variant="default" leftSection={<IconExternalLink size={16} />}>
          Open in a new tab
        </Button>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Actions>
    </Dialog>
  );
}
