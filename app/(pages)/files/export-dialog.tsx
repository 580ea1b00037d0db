"use client";

import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { ProgressBar } from "@/components/progress-bar";
import { readableBytes } from "@/components/readable-bytes";
import { UNREACHABLE } from "../unreachable";

interface ExportDialogProps {
  bytes: number;
  fileName: string;
  onClose: () => void;
}

/** Saves everything as one document, and shows how far it is. What broke off is never saved as if it were whole. */
export function ExportDialog({ bytes, fileName, onClose }: ExportDialogProps) {
  const [taken, setTaken] = useState(0);
  const [error, setError] = useState("");
  const [isDone, setDone] = useState(false);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try begins anew
  useEffect(() => {
    const abort = new AbortController();
    setError("");
    setTaken(0);
    fetchDocument(abort.signal, setTaken).then(
      (document) => {
        save(document, fileName);
        setDone(true);
      },
      (failed) => !abort.signal.aborted && setError(failed instanceof Error ? failed.message : UNREACHABLE),
    );
    return () => abort.abort();
  }, [tries, fileName]);

  return (
    <Dialog opened onClose={onClose} title="Export everything">
      <ProgressBar label="Export" done={isDone ? 1 : taken / Math.max(1, bytes)} state={error ? "failed" : "running"} />
      <p aria-live="polite">
        {isDone ? (
          <>
            Saved as <strong>{fileName}</strong>, {readableBytes(taken)}.
          </>
        ) : (
          `${readableBytes(taken)} of ${readableBytes(bytes)}`
        )}
      </p>
      <Notice kind="error">{error}</Notice>
      <Actions>
        {error && <Button onClick={() => setTries(tries + 1)}>Try again</Button>}
        <Button variant={isDone ? "filled" : "default"} onClick={onClose}>
          {isDone ? "Done" : "Cancel"}
        </Button>
      </Actions>
    </Dialog>
  );
}

/** The browser keeps it where it keeps downloads, not in memory, where it is large. */
async function fetchDocument(signal: AbortSignal, onProgress: (taken: number) => void): Promise<Blob> {
  const answer = await fetch("/files/export", { signal }).catch(() => Promise.reject(new Error(UNREACHABLE)));
  if (!answer.ok || !answer.body) throw new Error((await answer.json()).error);
  let taken = 0;
  let told = 0;
  const counted = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        taken += chunk.length;
        if (taken - told > 500_000) {
          told = taken;
          onProgress(taken);
        }
        controller.enqueue(chunk);
      },
    }),
  );
  const document = await new Response(counted).blob().catch(() => Promise.reject(new Error(UNREACHABLE)));
  onProgress(taken);
  return document;
}

function save(document: Blob, fileName: string): void {
  const link = window.document.createElement("a");
  link.href = URL.createObjectURL(document);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
