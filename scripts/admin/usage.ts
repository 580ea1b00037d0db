/** The command was not typed as it must be. */
export class UsageError extends Error {}

/** What was typed after the command. */
export interface Given {
  name: string;
  value: string;
  rotate: boolean;
  lost: boolean;
  replace: boolean;
  unsigned: boolean;
  skip: boolean;
  key?: string;
  user?: string;
  limit?: string;
}
