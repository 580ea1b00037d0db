import pg, { type Connection, type PoolClient, type Query, type QueryConfig, type Submittable } from "pg";

/** What pg calls as the server's messages arrive; its types leave it out. */
interface Receiver extends Query {
  text: string;
  name?: string;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

type Prepared = Connection & { submittedNamedStatements: Record<string, string> };

/**
 * Two statements in one round trip. They are one transaction, because only the second one ends with Sync (PostgreSQL's
 * protocol: pipelining). The second sees what the first has written.
 */
export class Pipeline implements Submittable {
  private isAtSecond = false;

  constructor(
    private readonly first: Receiver,
    private readonly second: Receiver,
  ) {}

  // pg remembers under these what the server has just prepared.
  get name() {
    return this.current.name;
  }
  get text() {
    return this.current.text;
  }
  get texts() {
    return [this.first.text, this.second.text];
  }

  submit(connection: Connection): void {
    const withoutSync: Connection = Object.create(connection, { sync: { value: () => {} } });
    connection.stream.cork();
    this.first.submit(withoutSync);
    this.second.submit(connection);
    connection.stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.current.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.current.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.current.handleCommandComplete(message, connection);
    this.isAtSecond = true;
  }

  handleReadyForQuery(connection: Connection): void {
    this.first.handleReadyForQuery(connection);
    this.second.handleReadyForQuery(connection);
  }

  handleError(error: Error, connection: Prepared): void {
    // After an error the server reads nothing up to Sync: what it should have prepared, it has not.
    for (const { name } of [this.first, this.second]) if (name) delete connection.submittedNamedStatements[name];
    this.first.handleError(error, connection);
    this.second.handleError(error, connection);
  }

  private get current(): Receiver {
    return this.isAtSecond ? this.second : this.first;
  }
}

/** Runs two statements as a `Pipeline`, and returns the rows of each. */
export function inOneTrip(
  client: PoolClient,
  first: QueryConfig,
  second: QueryConfig,
): Promise<[unknown[], unknown[]]> {
  return new Promise((resolve, reject) => {
    let rows: unknown[] = [];
    const before = new pg.Query(first, (error, result) => {
      if (error) reject(error);
      else rows = result.rows;
    });
    const after = new pg.Query(second, (error, result) => (error ? reject(error) : resolve([rows, result.rows])));
    client.query(new Pipeline(before as Receiver, after as Receiver));
  });
}
