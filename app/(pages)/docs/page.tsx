import type { Metadata } from "next";
import { routes } from "@/app/(api)/routes";
import { CommandLine } from "@/components/command-line";
import { Panel } from "@/components/panel";
import { type Parameter, parametersOf } from "@/lib/http/described-parameters";
import type { Declaration } from "@/lib/http/endpoint";
import { errorsOf } from "@/lib/http/error-codes";
import { AREAS, areaOf, operationId } from "@/lib/http/openapi";
import { pageOrigin } from "../origin";
import { DocsPage } from "./docs-page";
import styles from "./page.module.css";

export const metadata: Metadata = { title: "Interface" };

export default async function ReferencePage() {
  const origin = await pageOrigin();
  const declarations = Object.values(routes).map(({ GET }) => GET.declaration);
  return (
    <DocsPage title="The interface" current="/docs">
      <div className={styles.lead}>
        <p>
          Every route is a <code>GET</code> with parameters in the address. Your token goes in the parameter <code>auth</code>, or in the header{" "}
          <code>Authorization: Bearer</code>. Answers are JSON; an error says what is wrong in <code>error</code>, and in one word in <code>code</code>. A
          client that reads such things finds the same at <a href="/openapi.json">/openapi.json</a>.
        </p>
      </div>
      {AREAS.map((area) => (
        <Panel key={area.name} title={area.name}>
          {declarations
            .filter(({ path }) => areaOf(path) === area)
            .map((declaration) => (
              <RouteReference key={declaration.path} declaration={declaration} origin={origin} />
            ))}
        </Panel>
      ))}
    </DocsPage>
  );
}

function RouteReference({ declaration, origin }: { declaration: Declaration; origin: string }) {
  const parameters = parametersOf(declaration);
  const needsToken = declaration.caller !== "nobody";
  return (
    <article className={styles.route}>
      <h3>
        <code>{declaration.path}</code>
      </h3>
      <p>{declaration.summary}</p>
      {parameters.length > 0 && (
        <dl className={styles.parameters}>
          {parameters.map(({ name, required, description }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
                {!required && <span className={styles.soft}> optional</span>}
              </dt>
              {description && <dd>{description}</dd>}
            </div>
          ))}
        </dl>
      )}
      <CommandLine command={exampleOf(declaration, origin)} />
      <a className={styles.try} href={`/docs/try#/${areaOf(declaration.path)?.name.replaceAll(" ", "_")}/${operationId(declaration.path)}`}>
        Try it
      </a>
      {declaration.example.answer !== undefined && (
        <details className={styles.errors}>
          <summary>Answer</summary>
          <pre className={styles.answer}>{JSON.stringify(declaration.example.answer, null, 2)}</pre>
        </details>
      )}
      <details className={styles.errors}>
        <summary>Errors{needsToken ? "" : " (no token needed)"}</summary>
        <ul>
          {[...errorsOf(declaration).values()].flat().map(({ status, code, sentence }) => (
            <li key={code}>
              {status} <code>{code}</code>
              {sentence && <span className={styles.soft}> {sentence}</span>}
            </li>
          ))}
        </ul>
      </details>
    </article>
  );
}

/** A command with the parameters of the route's example as words in capitals. */
function exampleOf(declaration: Declaration, origin: string): string {
  const path = declaration.path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const query = parametersOf(declaration).flatMap((parameter) => (parameter.in === "query" ? shown(parameter) : []));
  if (declaration.caller !== "nobody") query.unshift("auth=TOKEN");
  return `curl "${origin}${path}${query.length > 0 ? `?${query.join("&")}` : ""}"`;
}

function shown({ name, required, example }: Parameter): string[] {
  return required || example !== undefined ? [`${name}=${name.toUpperCase()}`] : [];
}
