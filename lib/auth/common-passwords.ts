let common: Promise<Set<string>> | undefined;

/** Whether this is one of the 49,000 passwords that people choose most, in any case of its letters. The list is loaded when it is first asked for. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  return (await common).has(password.toLowerCase());
}
