"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { Checkbox } from "@/components/checkbox";
import { Dialog } from "@/components/dialog";
import { Notice, ProgressBar } from "@/components/feedback";
import { Form } from "@/components/form";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { readableBytes } from "@/components/words";
import type { ReportedImport } from "@/lib/files/errors";
import type { Imported } from "@/lib/files/import";
import { counted, entriesInWords, seenOf } from "@/lib/platform/bounds";
import { prove } from "../_signing-in/identity-actions";
import { ErrorNotice } from "../error-notice";
import { Unreadable } from "../file-text";
import { useAction } from "../use-action";
import styles from "./dialogs.module.css";
import { RefusedByServer, requestServer } from "./request-server";

/** The entries of a document that cannot be imported: the number for each reason, and each entry with its own. */
function ImportRefused({ report }: { report: ReportedImport }) {
  const { total, taken, reasons, refused } = report;
  const left = total - taken;
  return (
    <section className={styles.refused} aria-label="What can't be imported">
      <p role="alert">
        <strong>{`${inWords(left)} of ${counted(total, "entry", "entries")} can't be imported.`}</strong> Nothing has
        been changed yet.
      </p>
      <ul className={styles.reasons}>
        {reasons.map(({ reason, words, count: number }) => (
          <li key={reason}>
            <span>{words}</span>: <strong>{inWords(number)}</strong>
          </li>
        ))}
      </ul>
      {/* A scrollable list must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls */}
      <ol className={styles.entries} tabIndex={0} aria-label="Entries that can't be imported">
        {refused.map(({ entry, path, sentence }) => (
          <li key={entry}>
            <span className={styles.path}>{path || "(no name)"}</span>
            <span className={styles.soft}>{sentence}</span>
          </li>
        ))}
      </ol>
      {left > refused.length && <p className={styles.soft}>{`And ${inWords(left - refused.length)} more.`}</p>}
    </section>
  );
}

function inWords(count: number): string {
  return count.toLocaleString("en");
}

interface ImportDialogProps {
  used: { entries: number; bytes: number };
  onImported: (imported: Imported) => void;
  onExport: () => void;
  onClose: () => void;
}

/** Replaces everything with a selected document, after showing how much that is. */
export function ImportDialog({ used, onImported, onExport, onClose }: ImportDialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [agreed, setAgreed] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState("");
  /** Entries of the selected document that cannot be imported, once reported. */
  const [report, setReport] = useState<ReportedImport | null>(null);
  const { run, error: unproven } = useAction();
  const abort = useRef(new AbortController());
  const isRunning = done !== null;
  const isReplacing = seenOf(used.entries) > 0;
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (error && !file) input.current?.focus();
  }, [error, file]);

  async function submit() {
    if (!file) return;
    setError("");
    if (!(await run(prove))) return;
    setDone(0);
    abort.current = new AbortController();
    try {
      const onProgress = (uploaded: number) => setDone(file.size > 0 ? uploaded / file.size : 1);
      const query = report ? { leave: String(report.total - report.taken) } : undefined;
      onImported(
        await requestServer<Imported>("POST", "/files/import", {
          query,
          body: file,
          signal: abort.current.signal,
          onProgress,
        }),
      );
    } catch (refused) {
      setDone(null);
      if (refused instanceof RefusedByServer && refused.body.report) setReport(refused.body.report as ReportedImport);
      else if (!abort.current.signal.aborted) showError(refused);
    }
  }

  function showError(thrown: unknown) {
    setError(thrown instanceof Error ? thrown.message : String(thrown));
    if (!(thrown instanceof Unreadable) || !input.current) return;
    // A browser does not report that the same file was chosen as before.
    input.current.value = "";
    setFile(null);
  }

  function choose(chosen: File | null) {
    // Once its size was read, a browser does not read what the file has become since.
    setFile(chosen?.size === undefined ? null : chosen);
    setReport(null);
    setError("");
  }

  function close() {
    abort.current.abort();
    onClose();
  }

  return (
    <Dialog onClose={close} title="Import a document">
      <Form onSubmit={submit} className="stack">
        <p>
          A document is one JSON file with all of a user's files and folders. Export saves one, and programs read the
          same format.
        </p>
        <label className={styles.file}>
          <span>Document</span>
          <input
            ref={input}
            type="file"
            accept=".json,application/json"
            required
            disabled={isRunning}
            onChange={(event) => choose(event.currentTarget.files?.[0] ?? null)}
          />
        </label>
        {isReplacing && (
          <div className={styles.warning}>
            <p>
              <strong>This replaces everything you have here:</strong> <span>{entriesInWords(used.entries)}</span>,{" "}
              <span>{readableBytes(used.bytes)}</span>. This can't be undone.{" "}
              <button type="button" className={styles.link} onClick={onExport} disabled={isRunning}>
                Export first
              </button>
            </p>
            <Checkbox
              size="md"
              label="I understand that my current files will be deleted"
              checked={agreed}
              required
              disabled={isRunning}
              onChange={(event) => setAgreed(event.currentTarget.checked)}
            />
          </div>
        )}
        {report && <ImportRefused report={report} />}
        {isRunning && (
          <div className="stack">
            <ProgressBar label="Import" done={done} />
            <p aria-live="polite">
              {done < 1
                ? "Uploading the document"
                : "Checking the document. Your current files stay until the whole document has been checked."}
            </p>
          </div>
        )}
        <ErrorNotice error={unproven} />
        <Notice kind="error">{error && `${error} Your files are unchanged.`}</Notice>
        <Actions>
          <SteadyButton
            type="submit"
            color={isReplacing ? "red" : undefined}
            loading={isRunning}
            disabled={!file || (isReplacing && !agreed)}
          >
            {report
              ? `Import ${inWords(report.taken)} of ${inWords(report.total)}`
              : isReplacing
                ? "Replace everything"
                : "Import"}
          </SteadyButton>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}

/** What an import did, skipped and corrected. */
export function importedInWords({ entries, total, taken, notes }: Imported): string {
  const left = total - taken;
  // As the dialog, which counts the document's entries: the root folder is one of them.
  const sentences = [
    `Imported: ${left > 0 ? `${inWords(taken)} of ${inWords(total)} entries` : entriesInWords(entries)}.`,
  ];
  if (left > 0) sentences.push(`Skipped: ${inWords(left)}.`);
  for (const { words, count } of notes) sentences.push(`${words}: ${count.toLocaleString("en")}.`);
  return sentences.join(" ");
}
