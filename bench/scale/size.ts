import type { Size } from "@/scripts/seed-console/size";

/** What so many users have: a key each, every other key a second holder, and three events of the audit trail. */
export const sizeOf = (users: number): Size => ({ users, keys: users, events: users * 3 });

/** Bytes on the disk of a user with all of that, with indexes, log and backup, rounded up. */
export const BYTES_A_USER = 9_000;

export const LEAST_USERS = 10_000;
export const MOST_USERS = 10_000_000;

/** The sizes that somebody typed, smallest first. Throws an Error with a sentence. */
export function readSizes(typed: string): number[] {
  const sizes = typed.split(",").map((text) => (/^\d{1,8}$/.test(text.trim()) ? Number(text) : Number.NaN));
  if (sizes.every((users) => users >= LEAST_USERS && users <= MOST_USERS))
    return [...new Set(sizes)].sort((a, b) => a - b);
  const [least, most] = [LEAST_USERS, MOST_USERS].map((users) => users.toLocaleString("en"));
  throw new Error(`--users must be numbers from ${least} to ${most}, separated by commas.`);
}

/** Throws an Error with a sentence if that many users do not fit into the free bytes. */
export function checkRoom(users: number, freeBytes: number): void {
  const needed = users * BYTES_A_USER;
  if (needed <= freeBytes) return;
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
  throw new Error(
    `${users.toLocaleString("en")} users take about ${gigabytes(needed)} GB on the disk of the temporary folder, and ` +
      `${gigabytes(freeBytes)} GB are free. Choose fewer with --users, or another folder with TMPDIR.`,
  );
}
