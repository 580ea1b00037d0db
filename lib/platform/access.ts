/**
 * What a token may do on the API, from the least to the most. `identity`: /me, which then returns name and role only.
 * `read`: also the user's keys and files. `everything`: what the account's token may.
 */
export const ACCESSES = ["identity", "read", "everything"] as const;
export type Access = (typeof ACCESSES)[number];

/** Whether a token with `granted` access may do what needs `needed`. */
export function covers(granted: Access, needed: Access): boolean {
  return ACCESSES.indexOf(granted) >= ACCESSES.indexOf(needed);
}

/** The lesser of two; either alone if there is no other. */
export function lesser(one: Access | undefined, other: Access | undefined): Access | undefined {
  if (!one || !other) return one ?? other;
  return covers(one, other) ? other : one;
}

/** The access with this stored name: the least if it has none. */
export function storedAccess(name: string): Access {
  return isAccess(name) ? name : "identity";
}

/** Whether this is the name of an access. */
export function isAccess(text: string): text is Access {
  return (ACCESSES as readonly string[]).includes(text);
}
