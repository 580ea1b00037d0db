/** How many of each are made. */
export interface Size {
  users: number;
  keys: number;
  events: number;
}

/** The same, and over which time: its beginning in Unix ms, and its ms. */
export type Spread = Size & { begin: number; span: number };

/** The statement that makes the rows of these numbers. */
export type Rows = (from: number, to: number) => string;
