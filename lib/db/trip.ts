import type { Connection, CustomTypesConfig, FieldDef, PoolClient, Submittable } from "pg";

/** A statement as it is sent: its values as PostgreSQL's text, or bytes. */
export interface Sent {
  /** Of a statement that is kept prepared on each connection. */
  name: string | undefined;
  text: string;
  values: (string | Buffer | null)[];
}

export interface RowsAndCount {
  rows: Record<string, unknown>[];
  /** How many rows were read or written. */
  count: number;
}

/** What pg's connection has beside its declared type. */
type Prepared = Connection & {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
};

interface Columns {
  names: string[];
  parsers: ((text: string) => unknown)[];
  emptyRow: Record<string, null>;
}

const NONE: Columns = { names: [], parsers: [], emptyRow: {} };

/** The columns of the statements that are prepared on a connection, by name. */
const known = new WeakMap<object, Map<string, Columns>>();

/**
 * Statements in one round trip (PostgreSQL's protocol: extended query, pipelining). They are one transaction, because
 * only the last one ends with Sync, and each sees what those before it wrote. Unlike pg's own queries, it asks for the
 * columns of a prepared statement only once on each connection.
 */
export class Trip implements Submittable {
  private readonly results: RowsAndCount[];
  private readonly columns: (Columns | undefined)[] = [];
  private at = 0;

  constructor(
    private readonly statements: readonly Sent[],
    private readonly types: CustomTypesConfig,
    private readonly done: (error: Error | null, results: RowsAndCount[]) => void,
  ) {
    this.results = statements.map(() => ({ rows: [], count: 0 }));
  }

  // pg remembers under these what the server has just prepared.
  get name() {
    return this.statements[this.at]?.name;
  }
  get text() {
    return this.statements[this.at]?.text;
  }
  get texts() {
    return this.statements.map(({ text }) => text);
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    for (const statement of this.statements) this.columns.push(send(connection as Prepared, statement));
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const names = fields.map(({ name }) => name);
    this.columns[this.at] = {
      names,
      parsers: fields.map(({ dataTypeID }) => this.types.getTypeParser(dataTypeID, "text")),
      emptyRow: Object.fromEntries(names.map((name) => [name, null])),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { names, parsers, emptyRow } = this.columns[this.at] ?? NONE;
    const row: Record<string, unknown> = { ...emptyRow };
    for (let index = 0; index < names.length; index++) {
      const text = fields[index];
      if (text != null) row[names[index] as string] = parsers[index]?.(text);
    }
    this.results[this.at]?.rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }, connection: Connection): void {
    if (this.name !== undefined) columnsOn(connection).set(this.name, this.columns[this.at] ?? NONE);
    const result = this.results[this.at++];
    if (result) result.count = Number(/\d*$/.exec(text)?.[0]);
  }

  handleReadyForQuery(): void {
    this.done(null, this.results);
  }

  handleError(error: Error, { submittedNamedStatements }: Prepared): void {
    // After an error the server reads nothing up to Sync: what it should have prepared, it has not.
    for (const { name } of this.statements) if (name !== undefined) delete submittedNamedStatements[name];
    this.done(error, []);
  }
}

function columnsOn(connection: Connection): Map<string, Columns> {
  const columns = known.get(connection) ?? new Map<string, Columns>();
  known.set(connection, columns);
  return columns;
}

/** Returns the statement's columns, if known. */
function send(connection: Prepared, { name, text, values }: Sent): Columns | undefined {
  const { parsedStatements, submittedNamedStatements } = connection;
  if (name === undefined || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
    connection.parse({ name: name ?? "", text, types: [] }, true);
    if (name !== undefined) submittedNamedStatements[name] = text;
  }
  connection.bind({ statement: name, values }, true);
  const columns = name === undefined ? undefined : columnsOn(connection).get(name);
  if (!columns) connection.describe({ type: "P" }, true);
  connection.execute(null, true);
  return columns;
}

/** Runs the statements on this connection, and returns the rows of each. */
export function inOneTrip(
  client: PoolClient,
  statements: readonly Sent[],
  types: CustomTypesConfig,
): Promise<RowsAndCount[]> {
  return new Promise((resolve, reject) => {
    client.query(new Trip(statements, types, (error, results) => (error ? reject(error) : resolve(results))));
  });
}
