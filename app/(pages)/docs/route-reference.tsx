import type { Declaration } from "@/lib/api/declaration";
import { headersOf, type Parameter, parametersOf } from "@/lib/api/declaration";
import { operationId } from "@/lib/api/openapi";
import { anchorOf } from "@/lib/api/opened-by-hand";
import { samplesOf, tokenVariable } from "@/lib/api/samples";
import { DocumentValues } from "./document-values";
import styles from "./page.module.css";
import { type ReaderValues, withOwn } from "./reader-values";
import { RouteErrors } from "./route-errors";
import { SampleTabs } from "./sample-tabs";
import { TryRoute } from "./try/try-route";

interface RouteReferenceProps {
  declaration: Declaration;
  origin: string;
  reader: ReaderValues;
}

/** A route: what it does, its parameters, a sample, its response and errors, and a form to try it. */
export function RouteReference({ declaration, origin, reader }: RouteReferenceProps) {
  const { path, summary, access, example, answerHeaders = {} } = declaration;
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
      <p className={styles.soft}>
        {tokenIn(declaration)} {access === "change" ? "Changes something." : "Only reads."}
      </p>
      {parameters.length > 0 && (
        <dl className={styles.parameters}>
          {parameters.map((parameter) => (
            <div key={parameter.name} id={`${anchor}-${parameter.name}`}>
              <dt>
                <code>{parameter.name}</code>
                <span className={styles.soft}>
                  {" "}
                  {typeOf(parameter)}, {parameter.required ? "required" : "optional"}
                  {parameter.in === "header" && ", in a header"}
                </span>
              </dt>
              {parameter.description && <dd>{parameter.description}</dd>}
            </div>
          ))}
        </dl>
      )}
      <SampleTabs samples={samplesOf(declaration, origin, values)} />
      {example.answer !== undefined && (
        <details className={styles.more}>
          <summary>Response</summary>
          <pre translate="no" className={styles.answer}>
            {JSON.stringify(example.answer, null, 2)}
          </pre>
        </details>
      )}
      {path === "/read-files" && (
        <details className={styles.more}>
          <summary>The 14 values of an entry</summary>
          <DocumentValues />
        </details>
      )}
      {Object.keys(answerHeaders).length > 0 && (
        <details className={styles.more}>
          <summary>Response headers</summary>
          <dl className={styles.parameters}>
            {Object.entries(answerHeaders).map(([name, meaning]) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <details className={styles.more}>
        <summary>Errors</summary>
        <RouteErrors declaration={declaration} />
      </details>
      <TryRoute
        origin={origin}
        route={{
          path,
          changes: access === "change",
          tokenVariable: tokenVariable(declaration),
          parameters: parameters.map((parameter) => ({
            name: parameter.name,
            isHeader: parameter.in === "header",
            required: parameter.required,
            type: typeOf(parameter),
            description: parameter.description,
            example: parameter.example,
            start: access === "read" && parameter.required ? reader.own[parameter.example ?? ""] : undefined,
          })),
        }}
      />
    </article>
  );
}

function tokenIn({ caller, needs, operatorToken }: Declaration): string {
  if (caller === "token")
    return needs === "identity" ? "Needs a token." : `Needs a token with access to ${needs ?? "everything"}.`;
  return operatorToken ? `Needs ${operatorToken} as its token.` : "Needs no token.";
}

/** A format is more precise: every parameter arrives as text. */
function typeOf({ schema }: Parameter): string {
  return String(schema.format ?? schema.type ?? "string");
}
