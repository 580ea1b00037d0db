"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Dialog } from "@/components/dialog";
import { entriesInWords } from "@/components/files/entry-count";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { ProgressBar } from "@/components/progress-bar";
import { readableBytes } from "@/components/readable-bytes";
import type { ReportedImport } from "@/lib/files/errors";
import type { Imported } from "@/lib/files/import";
import { prove } from "../account/actions";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { askServer, RefusedByServer } from "./ask-server";
import styles from "./import-dialog.module.css";
import { ImportRefused, inWords } from "./import-refused";
import { Unreadable } from "./unreadable";

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
  /** Entries of the selected document that cannot be imported, once known. */
  const [report, setReport] = useState<ReportedImport | null>(null);
  const { run, error: unproven } = useAction();
  const abort = useRef(new AbortController());
  const isRunning = done !== null;
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
      const onProgress = (sent: number) => setDone(file.size > 0 ? sent / file.size : 1);
      const query = report ? { leave: String(report.total - report.taken) } : undefined;
      onImported(
        await askServer<Imported>("POST", "/files/import", {
          query,
          body: file,
          signal: abort.current.signal,
          onProgress,
        }),
      );
    } catch (refused) {
      setDone(null);
      if (refused instanceof RefusedByServer && refused.answer.report)
        setReport(refused.answer.report as ReportedImport);
      else if (!abort.current.signal.aborted) showError(refused);
    }
  }

  function showError(thrown: unknown) {
    setError(thrown instanceof Error ? thrown.message : String(thrown));
    if (!(thrown instanceof Unreadable) || !input.current) return;
    // A browser does not say that the same file was chosen as before.
    input.current.value = "";
    setFile(null);
  }

  function choose(chosen: File | null) {
    // Once asked for the size, a browser does not read what the file has become since.
    setFile(chosen?.size === undefined ? null : chosen);
    setReport(null);
    setError("");
  }

  function close() {
    abort.current.abort();
    onClose();
  }

  return (
    <Dialog opened onClose={close} title="Import a document">
      <Form onSubmit={submit} className={form.form}>
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
        {used.entries > 0 && (
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
          <div className={form.form}>
            <ProgressBar label="Import" done={done} />
            <p aria-live="polite">
              {done < 1
                ? "Uploading the document"
                : "Checking the document. Your current files stay until all of it has been found correct."}
            </p>
          </div>
        )}
        <ErrorNotice error={unproven} />
        <Notice kind="error">{error && `${error} Your files are unchanged.`}</Notice>
        <Actions>
          <Button
            type="submit"
            color={used.entries > 0 ? "red" : undefined}
            loading={isRunning}
            disabled={!file || (used.entries > 0 && !agreed)}
          >
            {report
              ? `Import ${inWords(report.taken)} of ${inWords(report.total)}`
              : used.entries > 0
                ? "Replace everything"
                : "Import"}
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
