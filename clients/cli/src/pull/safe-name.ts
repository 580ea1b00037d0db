/** Bytes of a name and of its extension. Together with a number they fit every file system's 255. */
const MOST_NAME = 160;
const MOST_TYPE = 40;
/** What some system does not take in a name, does not show, or shows in another place. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]/gu;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))/i;

/** Where this command keeps what it needs, in the folder that it writes. */
export const OWN_FOLDER = ".latchkey";

/** A name that every system takes, and takes for a name in its folder: never a device, another folder or our own. */
export function safeName(name: string, type: string): string {
  const plain = `${shortened(name, MOST_NAME)}${shortened(type, MOST_TYPE)}`
    .toWellFormed()
    .normalize("NFC")
    .replace(UNSAFE, "_")
    .replace(/[. ]+$/, (end) => "_".repeat(end.length));
  // Some systems ignore the joiner of letters.
  const bare = plain.replaceAll("\u200d", "");
  return bare === "" || DEVICE.test(bare) || sameOnEverySystem(bare) === OWN_FOLDER ? `_${plain}` : plain;
}

/** Equal for two names that some system takes for the same. */
export function sameOnEverySystem(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");
}

function shortened(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let short = "";
  let length = 0;
  for (const character of text) {
    length += Buffer.byteLength(character);
    if (length > bytes) break;
    short += character;
  }
  return short;
}
