import { Fingerprints } from "./fingerprints";

export const FOLDER = ".folder";
/** The location of every user's root folder. */
export const USERS = "origin/(c) users";
export const ID = /^[0-9a-f]{32}$/;

/** The parts of an entry that say where it is. */
export type Part = "type" | "name" | "location" | "id";

/**
 * What holds between the entries of a document (contract, section 3): the first is the user's root folder, every other
 * one lies in a folder that came before it, and no id comes twice. Also says what the document is to hold instead where
 * it is stored for another user than its own.
 */
export class EntryRules {
  readonly entry: Record<Part, string> = { type: "", name: "", location: "", id: "" };
  private isRoot = true;
  /** The path of the document's own root folder, and of the one it gets here. */
  private root = "";
  private readonly newRoot: string;
  private readonly ids = new Fingerprints();
  private readonly folders = new Fingerprints();
  /** The entries of a folder mostly follow one another. */
  private lastLocation = "";

  /** `refuse` must throw. */
  constructor(
    private readonly username: string,
    private readonly refuse: (why: string) => never,
  ) {
    this.newRoot = `${USERS}/${username}`;
  }

  /** Takes the next part of an entry (parts come in the order type, name, location, id) and answers what is to be stored for it. */
  take(part: Part, value: string): string {
    this.entry[part] = value;
    switch (part) {
      case "type":
        if (this.isRoot && value !== FOLDER) this.refuse(`the first entry must be the user's root folder, of the type ${FOLDER}`);
        return value;
      case "name":
        return this.name(value);
      case "location":
        return this.isRoot ? this.rootLocation(value) : this.location(value);
      case "id":
        this.id(value);
        return value;
    }
  }

  private name(name: string): string {
    if (this.entry.type === FOLDER && (name === "" || name.includes("/"))) this.refuse("a folder's name must not be empty or hold a slash");
    if (!this.isRoot) return name;
    this.root = `${USERS}/${name}`;
    return this.username;
  }

  private rootLocation(location: string): string {
    if (location !== USERS) this.refuse(`the first entry must be the user's root folder, in ${USERS}`);
    return location;
  }

  private location(location: string): string {
    if (location !== this.lastLocation) {
      if (location !== this.root && !location.startsWith(`${this.root}/`))
        this.refuse(`${quoted(location)} is outside the document's own root, ${quoted(this.root)}`);
      if (!this.folders.has(location)) this.refuse(`no entry before this one is the folder ${quoted(location)}`);
      this.lastLocation = location;
    }
    return this.newRoot + location.slice(this.root.length);
  }

  private id(id: string): void {
    if (!ID.test(id)) this.refuse("an id must be 32 lowercase hexadecimal digits");
    if (!this.ids.add(id)) this.refuse(`an entry before this one has the id ${id} too`);
    if (this.entry.type === FOLDER) this.folders.add(`${this.entry.location}/${this.entry.name}`);
    this.isRoot = false;
  }
}

/** `text` as it can stand in a sentence. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
