import { Fragment, type ReactNode } from "react";
import { ColoredCode } from "@/components/code";
import { currentUser } from "@/lib/accounts/session/current-user";
import { type Declaration, headersOf, type Parameter, parametersOf } from "@/lib/api/declaration";
import { errorsOf } from "@/lib/api/error-codes";
import { ALICE, KEY } from "@/lib/api/example-values";
import { anchorOf, operationId } from "@/lib/api/openapi";
import { samplesOf } from "@/lib/api/samples";
import { listKeys } from "@/lib/keys/list";
import styles from "./page.module.css";
import { SampleTabs } from "./sample-tabs";
import { shownOf } from "./samples";

/** What the samples know of the reader. */
interface ReaderValues {
  /** The reader's own values, by those of the examples that they replace. */
  own: Record<string, string>;
  /** What the reader calls the key whose id is filled in. */
  keyName?: string;
}

/** The signed-in reader's name and newest own key. */
export async function readerValues(): Promise<ReaderValues> {
  const user = await currentUser();
  if (!user) return { own: {} };
  const { keys } = await listKeys(user, { kind: "made", search: "", page: "1" });
  const [key] = keys;
  if (!key) return { own: { [ALICE]: user.username } };
  return { own: { [ALICE]: user.username, [KEY]: key.id }, keyName: key.name || key.id };
}

/**
 * The example parameters of a route, with the reader's own values. A route that changes something keeps the example's:
 * a pasted sample must not change a real key.
 */
function withOwn({ access, example }: Declaration, { own }: ReaderValues): Record<string, string> {
  const entries = Object.entries(example.parameters ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, (access === "read" && own[value]) || value]));
}

const VALUES = [
  ["1", "type: .txt, .png …, or .folder"],
  ["2", "name, without the type"],
  ["3", "location: origin/(c) users/alice/docs"],
  ["4", "data: plain text, or a data: URL for anything else; for a folder, the ids of its entries"],
  ["5, 8", "unused"],
  ["6, 7", "x and y position on a desktop"],
  ["9, 10", "created and modified, in Unix milliseconds"],
  ["11", "icon"],
  ["12", "size: length of the data, or the number of entries in the folder"],
  ["13", "permissions: usernames"],
  ["14", "id: 32 lowercase hex digits"],
];

/** A table, which scrolls where it is too wide. Its rows are `children`. */
export function DocsTable({ heads, children }: { heads: string[]; children: ReactNode }) {
  return (
    <div className={styles.table}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Of a table of errors. */
export const ERROR_HEADS = ["Status", "Code", "When"];

/** What the fourteen values of an entry in a document are. */
export function DocumentValues() {
  return (
    <DocsTable heads={["Value", "Meaning"]}>
      {VALUES.map(([number, meaning]) => (
        <tr key={number}>
          <td>{number}</td>
          <td>{meaning}</td>
        </tr>
      ))}
    </DocsTable>
  );
}

/** An error code that breaks between its words, if it must. */
export function ErrorCode({ code }: { code: string }) {
  const [first, ...rest] = code.split("_");
  return (
    <code className={styles.code}>
      {first}
      {rest.map((word) => (
        <Fragment key={word}>
          _<wbr />
          {word}
        </Fragment>
      ))}
    </code>
  );
}

/** The errors of a route as a table: status, code, and when. */
function RouteErrors({ declaration }: { declaration: Declaration }) {
  return (
    <DocsTable heads={ERROR_HEADS}>
      {rowsOf(declaration).map(({ status, code, body, meaning }) => (
        <tr key={`${status} ${code}`}>
          <td>{status}</td>
          <td>
            {code ? (
              <a href={`/docs#error-${code}`}>
                <ErrorCode code={code} />
              </a>
            ) : (
              <code>{JSON.stringify(body)}</code>
            )}
          </td>
          <td>{meaning}</td>
        </tr>
      ))}
    </DocsTable>
  );
}

interface Row {
  status: number;
  /** None if the body has none. */
  code?: string;
  body?: object;
  meaning: string;
}

/** A route may have a body of its own for its refusals, without a code: one row then, before others of its status. */
function rowsOf(declaration: Declaration): Row[] {
  return [...errorsOf(declaration)].flatMap(([status, errors]) => {
    const withCode = errors.filter(({ body }) => !declaration.refusal || (body !== undefined && "code" in body));
    const rows: Row[] = withCode.map(({ code, body, meaning }) => ({ status, code, body, meaning }));
    const [own, ...others] = errors.filter((error) => !withCode.includes(error));
    if (!own) return rows;
    const meaning = others.length > 0 ? declaration.refusedWhen : undefined;
    return [{ status, body: own.body, meaning: meaning ?? own.meaning }, ...rows];
  });
}

/** Names, each with what it is and means; with an id, a link can lead there. */
function Meanings({ rows }: { rows: { name: string; id?: string; kind?: string; meaning?: string }[] }) {
  return (
    <dl className={styles.parameters}>
      {rows.map(({ name, id, kind, meaning }) => (
        <div key={name} id={id}>
          <dt>
            <code>{name}</code>
            {kind && <span className="detail">{` ${kind}`}</span>}
          </dt>
          {meaning && <dd>{meaning}</dd>}
        </div>
      ))}
    </dl>
  );
}

interface RouteReferenceProps {
  declaration: Declaration;
  origin: string;
  reader: ReaderValues;
}

/** A route: what it does, its parameters, a sample, its response and its errors. */
export function RouteReference({ declaration, origin, reader }: RouteReferenceProps) {
  const { path, summary, access, example, responseHeaders = {} } = declaration;
  const anchor = anchorOf(path);
  const parameters = [...parametersOf(declaration), ...headersOf(declaration)];
  const values = withOwn(declaration, reader);
  return (
    <article id={anchor} data-section data-operation={operationId(path)} className={styles.route}>
      <h3>
        <a href={`#${anchor}`}>
          <code>GET {path}</code>
        </a>
      </h3>
      <p>{summary}</p>
      <p className="small">
        {tokenIn(declaration)} {access === "change" ? "Changes something." : "Only reads."}
      </p>
      {parameters.length > 0 && (
        <Meanings
          rows={parameters.map((parameter) => ({
            name: parameter.name,
            id: `${anchor}-${parameter.name}`,
            kind: kindOf(parameter),
            meaning: parameter.description,
          }))}
        />
      )}
      <SampleTabs shown={shownOf(samplesOf(declaration, origin, { values }))} />
      {example.response !== undefined && (
        <div>
          <p className="small">Response</p>
          <ColoredCode text={JSON.stringify(example.response, null, 2)} language="json" className={styles.response} />
        </div>
      )}
      {path === "/read-files" && (
        <details className={styles.more}>
          <summary>The 14 values of an entry</summary>
          <DocumentValues />
        </details>
      )}
      {Object.keys(responseHeaders).length > 0 && (
        <details className={styles.more}>
          <summary>Response headers</summary>
          <Meanings rows={Object.entries(responseHeaders).map(([name, meaning]) => ({ name, meaning }))} />
        </details>
      )}
      <details className={styles.more}>
        <summary>Errors</summary>
        <RouteErrors declaration={declaration} />
      </details>
    </article>
  );
}

function tokenIn({ caller, needs, operatorToken }: Declaration): string {
  if (caller === "token")
    return needs === "identity" ? "Needs a token." : `Needs a token with access to ${needs ?? "everything"}.`;
  return operatorToken ? `Needs ${operatorToken} as its token.` : "Needs no token.";
}

/** A format is more precise: every parameter arrives as text. */
function kindOf({ schema, required, in: place }: Parameter): string {
  const type = String(schema.format ?? schema.type ?? "string");
  return `${type}, ${required ? "required" : "optional"}${place === "header" ? ", in a header" : ""}`;
}
