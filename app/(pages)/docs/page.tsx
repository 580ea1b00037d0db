import { Panel } from "@/components/page";
import { AREAS, anchorOf, areaOf } from "@/lib/api/openapi";
import { pageOrigin } from "../visitor";
import { OldAnchor } from "./contents";
import { DocsPage, titleOf } from "./guide";
import { type DocsPath, declarations, errorTable } from "./index-entries";
import styles from "./page.module.css";
import { DocsTable, ERROR_HEADS, ErrorCode, RouteReference, readerValues } from "./route-reference";

export const metadata = { title: titleOf("/docs") };

/** Where most readers begin. */
const HUB: [guide: DocsPath, words: string][] = [
  ["/docs/guides/command-line", "Your tool shows six letters; its user confirms them in a browser."],
  ["/docs/guides/keys", "Add a buyer to a key, check it in your program, revoke it after a refund."],
  ["/docs/guides/backup", "Everything a user has stored, in one response that can be resumed."],
  ["/docs/guides/production", "A host name, a proxy with TLS, backups, metrics."],
];

export default async function ReferencePage() {
  const [origin, reader] = await Promise.all([pageOrigin(), readerValues()]);
  return (
    <DocsPage path="/docs">
      <OldAnchor />
      <div className="stack">
        <p>
          Sign-in, licence keys and files for apps without a server. Your app shows six letters; the user confirms them
          in a browser.
        </p>
        <p>
          Every route is a <code>GET</code> request to <code>{origin}</code>, with its parameters in the URL. Responses
          are JSON. A machine-readable description is at <a href="/openapi.json">/openapi.json</a>.
        </p>
      </div>
      <ul className={styles.hub}>
        {HUB.map(([guide, words]) => (
          <li key={guide}>
            <a href={guide}>
              <strong>{titleOf(guide)}</strong>
              <span>{words}</span>
            </a>
          </li>
        ))}
      </ul>
      <section id="authentication" data-section className="stack">
        <h2>Authentication</h2>
        <p>
          A user's token goes in the header <code>Authorization: Bearer</code>, which keeps it out of logs. The
          parameter <code>auth</code> in the URL works too, for programs that can't set headers: every proxy on the way
          may write it to its log.
        </p>
        <p>
          Your own token is on <a href="/account#token">your account page</a>. The samples read it from the environment
          variable <code>TOKEN</code>: <code>export TOKEN=lk_…</code>. A program gets its user's token by{" "}
          <a href="/docs/guides/command-line">linking</a>. Save the JavaScript samples as <code>.mjs</code> to run them
          with Node.js.
        </p>
        <p>
          The account's token begins with <code>lk_</code> and can do everything. A program can also have a token of its
          own, which begins with <code>lkt_</code>, works on the same routes, and can be removed on its own: create one
          on your account page, or ask for one by sending <code>access</code> to <code>/link/code</code>. With the
          access <code>read</code> it reads keys and files; with <code>identity</code> it learns the user's name and
          role. Each route says what it needs.
        </p>
        {reader.keyName !== undefined && (
          <p>
            Samples that only read use your key <strong>{reader.keyName}</strong>. Those that change something use an
            example id.
          </p>
        )}
      </section>
      {AREAS.map((area) => (
        <Panel key={area.name} title={area.name}>
          {declarations
            .filter(({ path }) => areaOf(path) === area)
            .map((declaration) => (
              <RouteReference key={declaration.path} declaration={declaration} origin={origin} reader={reader} />
            ))}
        </Panel>
      ))}
      <section id="errors" data-section className="stack">
        <h2>Errors</h2>
        <p>
          The body of an error has a sentence for people in <code>error</code> and in <code>message</code>, and one word
          for programs in <code>code</code>. Only <a href="#link-user">/link/user</a> and{" "}
          <a href="#link-status">/link/status</a> have bodies of their own.
        </p>
        <DocsTable heads={ERROR_HEADS}>
          {errorTable().map(({ code, status, meaning, paths }) => (
            <tr key={code} id={`error-${code}`}>
              <td>{status}</td>
              <td>
                <ErrorCode code={code} />
              </td>
              <td>
                {meaning} <Reporters paths={paths} />
              </td>
            </tr>
          ))}
        </DocsTable>
      </section>
    </DocsPage>
  );
}

/** The routes that report an error; none are named if many do. */
function Reporters({ paths }: { paths: string[] }) {
  if (paths.length > 6) return null;
  return (
    <span className="small">
      {paths.map((path, index) => (
        <span key={path}>
          {index > 0 && ", "}
          <a href={`#${anchorOf(path)}`}>{path}</a>
        </span>
      ))}
    </span>
  );
}
