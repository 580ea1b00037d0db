"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { asJson, refusalIn, whyFailed } from "@/components/failures";
import { Loader, Notice, ProgressBar } from "@/components/feedback";
import { Actions } from "@/components/page";
import { readableBytes } from "@/components/words";
import { pageUserHeader } from "../page-user";

/** What is saved. */
export interface Saved {
  title: string;
  /** The route whose response is saved, and the JSON in its request, if any. */
  path: string;
  body?: string;
  /** The size of the response, if it was listed. */
  bytes?: number;
  fileName: string;
}

/** Saves a response as a file, and shows the progress. An incomplete one is never saved as if it were complete. */
export function SaveDialog({ title, path, body, bytes, fileName, onClose }: Saved & { onClose: () => void }) {
  const [received, setReceived] = useState(0);
  const [error, setError] = useState("");
  const [isDone, setDone] = useState(false);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try begins anew
  useEffect(() => {
    const abort = new AbortController();
    setError("");
    setReceived(0);
    fetchFile({ path, body, signal: abort.signal }, setReceived).then(
      (file) => {
        save(file, fileName);
        setDone(true);
      },
      (failed) => !abort.signal.aborted && setError(failed.message),
    );
    return () => abort.abort();
  }, [tries, path, body, fileName]);

  return (
    <Dialog onClose={onClose} title={title}>
      {bytes === undefined ? (
        !isDone && !error && <Loader aria-label="Downloading" />
      ) : (
        <ProgressBar
          label="Export"
          done={isDone ? 1 : received / Math.max(1, bytes)}
          state={error ? "failed" : "running"}
        />
      )}
      <p aria-live="polite">
        {isDone ? (
          <span>
            Saved as <strong translate="no">{fileName}</strong>, <span>{readableBytes(received)}</span>.
          </span>
        ) : (
          `${readableBytes(received)} ${bytes === undefined ? "so far" : `of ${readableBytes(bytes)}`}`
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

/** The browser stores it with its downloads, not in memory, because it may be large. */
async function fetchFile(
  { path, body, signal }: { path: string; body?: string; signal: AbortSignal },
  onProgress: (received: number) => void,
): Promise<Blob> {
  const method = body === undefined ? "GET" : "POST";
  const response = await fetch(path, { method, body, headers: pageUserHeader(), signal }).catch(unreached);
  // Every stored file has this header.
  if (!response.ok || !response.body || !response.headers.has("Content-Disposition"))
    throw new Error(refusalIn(response.status, asJson(await response.text().catch(unreached))));
  let received = 0;
  let reported = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.length;
        if (received - reported > 500_000) {
          reported = received;
          onProgress(received);
        }
        controller.enqueue(chunk);
      },
    }),
  );
  const file = await new Response(counted).blob().catch(unreached);
  onProgress(received);
  return file;
}

async function unreached(thrown: unknown): Promise<never> {
  throw new Error(await whyFailed(thrown));
}

function save(file: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
