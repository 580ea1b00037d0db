import { CommandLine } from "@/components/copy-button";
import { pageOrigin } from "../../../visitor";
import { DocsPage, titleOf } from "../../guide";
import styles from "../../page.module.css";
import { DocumentValues } from "../../route-reference";
import { CommandTabs, ExampleTabs } from "../../samples";

export const metadata = { title: titleOf("/docs/guides/backup") };

export default async function BackupGuide() {
  const origin = await pageOrigin();
  const files = `${origin}/docs/examples`;
  return (
    <DocsPage path="/docs/guides/backup">
      <p>
        One request returns everything a user has stored: folders, files and their contents. It can be gigabytes, so
        treat it as a download. By the end of this page, you will have a copy that is updated only when something has
        changed.
      </p>
      <h2>1. Run the complete program</h2>
      <p>
        <code>TOKEN</code> is the token of the user whose files you copy: your own from{" "}
        <a href="/account">your account page</a>, where you can create one that can only read, or one that your program
        got when it <a href="/docs/guides/command-line">signed a user in</a> with <code>access=read</code>. Run it
        twice: the second time, nothing is downloaded.
      </p>
      <CommandTabs
        commands={{
          curl: `curl -O ${files}/backup.sh && TOKEN=lk_… bash backup.sh ${origin} files.json`,
          javascript: `curl -O ${files}/backup.mjs && TOKEN=lk_… node backup.mjs ${origin} files.json`,
          python: `curl -O ${files}/backup.py && TOKEN=lk_… python3 backup.py ${origin} files.json`,
        }}
      />
      <ExampleTabs files={{ curl: "backup.sh", javascript: "backup.mjs", python: "backup.py" }} />
      <h2>2. Understand what it does</h2>
      <ul className={styles.steps}>
        <li>
          <strong>It downloads only what is new.</strong> It sends the <code>ETag</code> of its copy in{" "}
          <code>If-None-Match</code>; 304 means that nothing has changed.
        </li>
        <li>
          <strong>It trusts a complete response.</strong> A failed transfer never ends cleanly, so a response that does
          is complete. Only then is the old copy replaced.
        </li>
        <li>
          <strong>404 no_files isn't a failure</strong>: the user hasn't stored anything yet.
        </li>
        <li>
          <p>
            <strong>A large download can be resumed</strong> with <code>Range</code>, and with the same tag in{" "}
            <code>If-Range</code>, so that parts of two versions are never mixed: if the document has changed since, you
            get all of it, with 200 instead of 206. Without that tag, a range of files that changed within a day isn't
            honoured: wget then stops with 412, curl with an error, and you start again. Ranges only work without
            compression.
          </p>
          <CommandLine
            command={
              `curl -H "Authorization: Bearer $TOKEN" -H 'Range: bytes=1048576-' ` +
              `-H 'If-Range: "ETAG"' ${origin}/read-files`
            }
          />
        </li>
      </ul>
      <h2>3. Read the document</h2>
      <p>
        It is one flat array with fourteen values per entry. Folders come before their contents. The first entry is the
        user's own folder.
      </p>
      <DocumentValues />
      <h2>4. Restore it</h2>
      <p>
        The API can't change files. To restore them, the user imports the document on the{" "}
        <a href="/files">Files page</a>, which replaces everything stored there. The operator can also import it with
        the admin command.
      </p>
      <CommandLine command="./latchkey files:import alice files.json" />
    </DocsPage>
  );
}
