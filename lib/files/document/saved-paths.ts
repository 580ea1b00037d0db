import { foldCase } from "../../platform/fold-case";

/** Bytes of a folder's path: with the name of a file, and where the user puts it, no system's limit is reached. */
const MAX_PATH = 700;
/** Bytes of a name and of its extension. Together with a number they fit every file system's 255. */
const MAX_NAME = 160;
const MAX_TYPE = 40;
/** What some system refuses in a name, does not show, or shows in another position. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/gu;
/** What joins letters, or keeps them apart: some systems ignore it in a name. */
const JOINERS = /[\u200c\u200d]/g;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))/i;

/**
 * Where the entries of a document are outside of the service: in an archive, or in a folder of the command line. Every
 * system takes these paths, none leads out of its folder or to a device, and any two differ in more than some system
 * can hold: case, how letters are composed or written ("ß" and "ss").
 */
export class SavedPaths {
  /** Used paths, and with which number the next one of the same name begins. */
  private readonly used = new Map<string, number>();

  /** `reserved`: a path that no entry gets. */
  constructor(reserved?: string) {
    if (reserved !== undefined) this.used.set(alike(reserved), 2);
  }

  /** The path of a file in the folder `above`, "" being the top. */
  file(above: string, name: string, type: string): string {
    return this.free(above, shortened(safe(name), MAX_NAME), shortened(safe(type), MAX_TYPE));
  }

  /** The path of a folder in the folder `above`; undefined if it lies too deep, and its contents belong above. */
  folder(above: string, name: string): string | undefined {
    const plain = shortened(safe(name), MAX_NAME);
    return Buffer.byteLength(`${above}/${plain}`) > MAX_PATH ? undefined : this.free(above, plain, "");
  }

  /** The first free one of name, name (2), name (3) …; the number comes before the extension. */
  private free(above: string, name: string, type: string): string {
    const at = above === "" ? "" : `${above}/`;
    const foldedBase = alike(at + inFolder(name + type));
    for (let n = this.used.get(foldedBase) ?? 1; ; n++) {
      const path = at + inFolder(n === 1 ? name + type : `${name} (${n})${type}`);
      const folded = alike(path);
      if (n > 1 && this.used.has(folded)) continue;
      this.used.set(foldedBase, n + 1);
      if (n > 1) this.used.set(folded, 2);
      return path;
    }
  }
}

const safe = (text: string) => text.toWellFormed().normalize("NFC").replace(UNSAFE, "_");

/** A safe text as the name of a file or a folder: no device, and without an end that Windows drops. */
function inFolder(text: string): string {
  const name = text.replace(/[. ]+$/, (end) => "_".repeat(end.length));
  const bare = name.replace(JOINERS, "");
  return bare === "" || DEVICE.test(bare) ? `_${name}` : name;
}

/** Equal for two paths that are the same to some system. */
function alike(path: string): string {
  const bare = path.replace(JOINERS, "").normalize("NFKC");
  return foldCase(bare.toUpperCase().toLowerCase()).normalize("NFC");
}

function shortened(text: string, maxBytes: number): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    length += character.length;
  }
  return text.slice(0, length);
}
