/** Who would speak for the service under such a name, or for nobody. */
const RESERVED = [
  "abuse account accounts admin administration administrator admins anonymous anybody anyone api billing contact",
  "deleted everybody everyone help helpdesk hostmaster latchkey login logout me mine mod moderation moderator",
  "moderators mods my myself nobody none noreply null official operator operators owner owners postmaster root secure",
  "security service signin signup staff superadmin superuser support sys sysadmin sysop system undefined unknown",
  "verified webmaster",
]
  .join(" ")
  .split(" ");
/** Beside such a name they change nothing: the_admin, support-team. */
const FILLERS = ["a", "desk", "my", "of", "real", "s", "team", "the", "your"];

/** What a letter is read as, whichever sign stands for it. */
const LOOK_ALIKES: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  l: "i",
};
const normalized = (text: string) =>
  text.replace(/[0134578l]/g, (sign) => LOOK_ALIKES[sign] ?? sign).replaceAll("rn", "m");

const reserved = new Set(RESERVED.map(normalized));
const fillers = new Set(FILLERS.map(normalized));

/**
 * Whether a username speaks for the service (contract, section 1: username): in any case, with digits for letters, with
 * `_` and `-` anywhere, numbered, or with words that change nothing. An ordinary name that contains one is not meant.
 */
export function isReservedName(username: string): boolean {
  const lower = username.toLowerCase();
  return [lower, lower.replace(/[\d_-]+$/, "")].some((name) => {
    const words = name.split(/[_-]+/).filter(Boolean).map(normalized);
    const telling = words.filter((word) => !fillers.has(word));
    const areAll = telling.length > 0 && telling.every((word) => reserved.has(word));
    return areAll || reserved.has(normalized(name.replace(/[_-]/g, "")));
  });
}
