import type { Declaration } from "@/lib/api/declaration";
import { errorsOf, meaningOf } from "@/lib/api/error-codes";
import { ErrorCode } from "./error-code";
import styles from "./page.module.css";

/** The errors of a route as a table: status, code, and when. */
export function RouteErrors({ declaration }: { declaration: Declaration }) {
  return (
    <div className={styles.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Code</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
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
    const rows: Row[] = withCode.map(({ code, body }) => ({ status, code, body, meaning: meaningOf(code) }));
    const [own, ...others] = errors.filter((error) => !withCode.includes(error));
    if (!own) return rows;
    const meaning = others.length > 0 ? declaration.refusedWhen : undefined;
    return [{ status, body: own.body, meaning: meaning ?? meaningOf(own.code) }, ...rows];
  });
}
