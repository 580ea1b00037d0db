/** The type of a folder. */
export const FOLDER = ".folder";
/** The location of every user's root folder. */
export const USERS = "origin/(c) users";

/** Positions among the 14 values of an entry (contract, section 3), counted from 0. */
export const TYPE = 0;
export const NAME = 1;
export const LOCATION = 2;
export const DATA = 3;
export const EDITED = 9;
export const SIZE = 11;
export const ID = 13;
export const VALUES_PER_ENTRY = 14;

/** The document's owner: its root folder has the user's name. */
export interface FileOwner {
  id: string;
  username: string;
}

/** What identifies an entry, and its location. */
export interface EntryHead {
  id: string;
  type: string;
  name: string;
  location: string;
}

export type HeadPart = keyof EntryHead;

/** The facts about an entry, besides its data. */
export interface EntryFacts extends EntryHead {
  /** Bytes of the content; for a folder, the number of listed children. */
  size: number;
  /** The JSON text of the value, shortened if too long. */
  edited: string;
  isBase64: boolean;
}
