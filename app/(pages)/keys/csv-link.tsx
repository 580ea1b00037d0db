"use client";

import { ErrorNotice } from "../error-notice";
import { useProvenDownload } from "../use-proven-download";

/** The link to a list of keys as a file. The user may have to confirm who they are first. */
export function CsvLink({ href }: { href: string }) {
  const { ask, error } = useProvenDownload();
  return (
    <>
      <a href={href} download onClick={ask}>
        Download as CSV
      </a>
      <ErrorNotice error={error} />
    </>
  );
}
