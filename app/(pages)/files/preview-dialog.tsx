"use client";

import { useEffect, useMemo, useState } from "react";
import { Button, LinkButton } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { asJson, refusalIn, whyFailed } from "@/components/failures";
import { Loader, Notice } from "@/components/feedback";
import { SelectField } from "@/components/form";
import { IconDownload } from "@/components/icons";
import { Actions } from "@/components/page";
import { readableBytes } from "@/components/words";
import { type Beginning, detectEncoding, ENCODINGS, type Encoding, isEncoding, textIn } from "../file-text";
import styles from "./dialogs.module.css";
import type { Entry } from "./entry-list";
import { IconChevronLeft, IconChevronRight, IconExternalLink } from "./icons";

interface PreviewDialogProps {
  entry: Entry;
  /** The files among which the previous and the next one are shown. */
  files: Entry[];
  onPreview: (entry: Entry) => void;
  onClose: () => void;
}

/**
 * Shows a file if that is safe and useful: text, formatted JSON, pictures, sounds, videos. Others can be opened
 * separately or saved. The arrow keys lead to the previous and next file.
 */
export function PreviewDialog({ entry, files, onPreview, onClose }: PreviewDialogProps) {
  const [shown, setShown] = useState<Preview | null>(null);
  const text = useMemo(() => (shown?.kind === "text" ? textIn(shown, shown.encoding) : ""), [shown]);
  const Player = shown?.kind === "audio" || shown?.kind === "video" ? shown.kind : undefined;
  const address = `/files/content?id=${entry.id}`;

  const at = files.findIndex(({ id }) => id === entry.id);
  const [previous, next] = [files[at - 1], at < 0 ? undefined : files[at + 1]];

  useEffect(() => {
    const lead = ({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent) => {
      if (target instanceof HTMLSelectElement || target instanceof HTMLMediaElement) return;
      const to = key === "ArrowLeft" ? previous : key === "ArrowRight" ? next : undefined;
      if (to && !(ctrlKey || metaKey || altKey || shiftKey)) onPreview(to);
    };
    window.addEventListener("keydown", lead);
    return () => window.removeEventListener("keydown", lead);
  }, [previous, next, onPreview]);

  useEffect(() => {
    const abort = new AbortController();
    setShown(null);
    preview(address, abort.signal).then(
      (loaded) => !abort.signal.aborted && setShown(loaded),
      () => {},
    );
    return () => abort.abort();
  }, [address]);

  return (
    <Dialog onClose={onClose} title={entry.name} wide>
      <div aria-live="polite" className={styles.shown}>
        {!shown && <Loader aria-label="Loading" />}
        {shown?.kind === "text" && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          <pre translate="no" className={styles.text} tabIndex={0}>
            {text || <i>Empty</i>}
          </pre>
        )}
        {shown?.kind === "picture" && (
          // biome-ignore lint/performance/noImgElement: a user's own file, served by us as it is
          <img src={address} alt={entry.name} className={styles.picture} onError={() => setShown({ kind: "none" })} />
        )}
        {Player && (
          <Player src={address} controls className={styles.played} onError={() => setShown({ kind: "none" })} />
        )}
        {shown?.kind === "none" && <p>This kind of file can't be previewed.</p>}
        {shown?.kind === "error" && <Notice kind="error">{shown.error}</Notice>}
      </div>
      {shown?.kind === "text" && shown.isNotAscii && (
        <SelectField
          label="Encoding"
          size="sm"
          className={styles.encoding}
          data={ENCODINGS}
          value={shown.encoding}
          onChange={({ currentTarget: { value } }) => isEncoding(value) && setShown({ ...shown, encoding: value })}
        />
      )}
      {shown?.kind === "text" && shown.isCut && (
        <p className={styles.soft}>{`Only the beginning is shown. The whole file is ${readableBytes(entry.size)}.`}</p>
      )}
      {files.length > 1 && at >= 0 && (
        <div className={styles.siblings}>
          <Button
            size="sm"
            variant="default"
            disabled={!previous}
            onClick={() => previous && onPreview(previous)}
            leftSection={<IconChevronLeft size={16} />}
          >
            Previous
          </Button>
          <span className={styles.soft}>
            {`${(at + 1).toLocaleString("en")} of ${files.length.toLocaleString("en")}`}
          </span>
          <Button
            size="sm"
            variant="default"
            disabled={!next}
            onClick={() => next && onPreview(next)}
            rightSection={<IconChevronRight size={16} />}
          >
            Next
          </Button>
        </div>
      )}
      <Actions>
        <LinkButton href={`${address}&save`} download leftSection={<IconDownload size={16} />}>
          Download
        </LinkButton>
        <LinkButton
          href={shown?.kind === "text" ? `${address}&encoding=${shown.encoding}` : address}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconExternalLink size={16} />}
        >
          Open in a new tab
        </LinkButton>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Actions>
    </Dialog>
  );
}

type Preview =
  | ({ kind: "text"; encoding: Encoding; isNotAscii: boolean } & Beginning)
  | { kind: "picture" | "audio" | "video" }
  | { kind: "none" }
  | { kind: "error"; error: string };

/** The maximum of a text that is shown. */
const MAX_BYTES = 512 * 1024;

/** The preview of the file at `address`. Loads no more of it than is shown. */
export async function preview(address: string, signal: AbortSignal): Promise<Preview> {
  const ended = new AbortController();
  signal.addEventListener("abort", () => ended.abort());
  try {
    const response = await fetch(address, { signal: ended.signal });
    // Every stored file has this header.
    if (!response.ok || !response.headers.has("Content-Disposition"))
      return { kind: "error", error: refusalIn(response.status, asJson(await response.text())) };
    const type = response.headers.get("Content-Type") ?? "";
    if (type.startsWith("image/")) return { kind: "picture" };
    if (type.startsWith("audio/")) return { kind: "audio" };
    if (type.startsWith("video/")) return { kind: "video" };
    const begin = await beginning(response);
    const encoding = detectEncoding(begin) ?? (type.startsWith("text/") ? "utf-8" : undefined);
    const isNotAscii = begin.bytes.some((byte) => byte === 0 || byte >= 0x80);
    return encoding ? { kind: "text", encoding, isNotAscii, ...begin } : { kind: "none" };
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: "error", error: await whyFailed(error) };
  } finally {
    ended.abort();
  }
}

async function beginning(response: Response): Promise<Beginning> {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(MAX_BYTES);
  let length = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const isCut = length + next.value.length > MAX_BYTES;
    bytes.set(next.value.subarray(0, MAX_BYTES - length), length);
    if (isCut) return { bytes, isCut };
    length += next.value.length;
  }
  return { bytes: bytes.subarray(0, length), isCut: false };
}
