import type { Metadata } from "next";
import { CommandLine } from "@/components/command-line";
import { pageOrigin } from "../../origin";
import { DocsPage } from "../docs-page";
import styles from "../page.module.css";

export const metadata: Metadata = { title: "Read files" };

const VALUES = [
  ["1", "type: .txt, .png …, or .folder"],
  ["2", "name, without the type"],
  ["3", "location: origin/(c) users/alice/docs"],
  ["4", "data: text as it is, anything else a data: URL; for a folder the ids of what is in it"],
  ["5, 8", "unused"],
  ["6, 7", "x and y, where it lies on a desktop"],
  ["9, 10", "made and changed, in unix milliseconds"],
  ["11", "icon"],
  ["12", "size: length of the data, or how many are in the folder"],
  ["13", "permissions: usernames"],
  ["14", "id: 32 lowercase hex digits"],
];

export default async function FilesGuide() {
  const origin = await pageOrigin();
  return (
    <DocsPage title="Read files" current="/docs/files">
      <p>
        One request answers everything that a user has stored: folders, files, what is in them. It may be gigabytes, so ask for it as you would for a download.
      </p>
      <CommandLine command={`curl --compressed -o files.json "${origin}/read-files?auth=TOKEN"`} />
      <ol className={styles.steps}>
        <li>
          <strong>Slice it by fourteen.</strong> The answer is one flat array, fourteen values an entry, folders before what is in them. The first entry is the
          user&apos;s own folder.
          <div className={styles.table}>
            <table>
              <thead>
                <tr>
                  <th>Value</th>
                  <th>Meaning</th>
                </tr>
              </thead>
              <tbody>
                {VALUES.map(([number, meaning]) => (
                  <tr key={number}>
                    <td>{number}</td>
                    <td>{meaning}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </li>
        <li>
          <p>
            <strong>Ask only for news.</strong> Send the <code>ETag</code> of the last answer in <code>If-None-Match</code>; 304 means that nothing has changed.
          </p>
          <CommandLine command={`curl -i -H 'If-None-Match: "ETAG"' "${origin}/read-files?auth=TOKEN"`} />
        </li>
        <li>
          <p>
            <strong>Go on where it broke off.</strong> Ask for the rest with <code>Range</code>, and <code>If-Range</code> with the same tag, so that parts of
            two versions are never put together: where the document has changed since, all of it comes, with 200 in place of 206. The plain form has ranges; the
            compressed one has none.
          </p>
          <CommandLine command={`curl -i -H 'Range: bytes=1048576-' -H 'If-Range: "ETAG"' "${origin}/read-files?auth=TOKEN"`} />
        </li>
        <li>
          <strong>Trust the end.</strong> A transfer that fails is cut off, never ended early: what arrives whole is whole. 404 <code>no_files</code> means that
          the user has stored nothing yet.
        </li>
      </ol>
      <p>Nothing is written through this interface. Files come in on the page, or by the operator&apos;s command.</p>
    </DocsPage>
  );
}
