import type { HeadPart } from "../document/entry";
import type { Kind } from "../document/json-scanner";

/**
 * One of the 14 values of an entry: its name in a refusal, its allowed kinds, and whether the rules between entries
 * need it.
 */
interface Value {
  name: string;
  kinds?: readonly Kind[];
  part?: HeadPart;
}

const STRING: readonly Kind[] = ["string"];
/** Stored documents have all of these instead of a number. */
const NUMBER: readonly Kind[] = ["number", "string", "null"];

/** Contract, section 3. Unused values may be anything; so may a file's data, which comes in all kinds. */
export const VALUES: readonly Value[] = [
  { name: "type", kinds: STRING, part: "type" },
  { name: "name", kinds: STRING, part: "name" },
  { name: "location", kinds: STRING, part: "location" },
  { name: "data" },
  { name: "value 5" },
  { name: "x", kinds: NUMBER },
  { name: "y", kinds: NUMBER },
  { name: "value 8" },
  { name: "created", kinds: NUMBER },
  { name: "edited", kinds: NUMBER },
  { name: "icon" },
  { name: "size", kinds: NUMBER },
  { name: "permissions", kinds: ["array", "string", "null"] },
  { name: "id", kinds: STRING, part: "id" },
];
