import { isPlainText } from "@/lib/files/schema";

/** Encodings of text (WHATWG names), with readable labels. */
export const ENCODINGS = [
  { value: "utf-8", label: "UTF-8" },
  { value: "utf-16le", label: "UTF-16 LE" },
  { value: "utf-16be", label: "UTF-16 BE" },
  { value: "windows-1252", label: "Western (Windows-1252, Latin-1)" },
  { value: "windows-1250", label: "Central European (Windows-1250)" },
  { value: "windows-1251", label: "Cyrillic (Windows-1251)" },
  { value: "shift_jis", label: "Japanese (Shift JIS)" },
  { value: "euc-jp", label: "Japanese (EUC-JP)" },
  { value: "gbk", label: "Chinese (GBK)" },
  { value: "big5", label: "Chinese (Big5)" },
  { value: "euc-kr", label: "Korean (EUC-KR)" },
] as const;

export type Encoding = (typeof ENCODINGS)[number]["value"];

export const isEncoding = (value: string): value is Encoding => ENCODINGS.some((each) => each.value === value);

/** The first bytes of a file; `isCut`: more follow. */
export interface Beginning {
  bytes: Uint8Array;
  isCut: boolean;
}

/**
 * The likely encoding of a text: by its byte order mark, as UTF-8, by the zeros of UTF-16, or else by the characters
 * that are frequent. Undefined for what is no text.
 */
export function detectEncoding(beginning: Beginning): Encoding | undefined {
  const { bytes } = beginning;
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const isText = (encoding: Encoding) => isTextIn(beginning, encoding);
  if (bytes.includes(0)) return utf16Of(bytes).find(isText);
  return isText("utf-8") ? "utf-8" : frequent(bytes.subarray(0, SAMPLE_BYTES)).find(isText);
}

function isTextIn({ bytes, isCut }: Beginning, encoding: Encoding): boolean {
  try {
    return isPlainText(new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut }), false);
  } catch {
    return false;
  }
}

/** Letters, digits and line ends of ASCII have a zero as one of their bytes, and always the same one. */
function utf16Of(bytes: Uint8Array): Encoding[] {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  return even === 0 ? ["utf-16le"] : odd === 0 ? ["utf-16be"] : [];
}

/** So many bytes show which characters are frequent. */
const SAMPLE_BYTES = 16_384;
/** The least share of frequent characters, and how many distinguish Korean from Chinese. */
const LEAST_SHARE = 0.8;
const LEAST_KOREAN = 8;

const isBetween = (from: number, byte: number, to: number) => byte >= from && byte <= to;

/** For encodings of two bytes: whether this pair is a frequent character. Narrower rules come first. */
const PAIRS: [encoding: Encoding, isFrequent: (lead: number, trail: number) => boolean][] = [
  // Punctuation and kana, then the frequent kanji.
  ["shift_jis", (lead) => isBetween(0x81, lead, 0x83) || isBetween(0x88, lead, 0x97)],
  ["euc-kr", (lead, trail) => trail > 0xa0 && (lead === 0xa1 || lead === 0xa3 || isBetween(0xb0, lead, 0xc8))],
  ["gbk", (lead, trail) => trail > 0xa0 && (lead === 0xa1 || lead === 0xa3 || isBetween(0xb0, lead, 0xd7))],
  ["big5", (lead) => lead === 0xa1 || isBetween(0xa4, lead, 0xc6)],
  // In the others, kana are rare.
  [
    "euc-jp",
    (lead, trail) => trail > 0xa0 && (lead === 0xa1 || isBetween(0xa3, lead, 0xa5) || isBetween(0xb0, lead, 0xcf)),
  ],
];

/** Those encodings that have many frequent characters, the likeliest first; then one of one byte. */
function frequent(bytes: Uint8Array): Encoding[] {
  const likely = PAIRS.map(([encoding, isFrequent]) => ({ encoding, ...count(bytes, isFrequent) }))
    .filter(({ encoding, pairs, share }) => share >= LEAST_SHARE && (encoding !== "euc-kr" || pairs >= LEAST_KOREAN))
    .toSorted((a, b) => b.share - a.share);
  return [...likely.map(({ encoding }) => encoding), isCyrillic(bytes) ? "windows-1251" : "windows-1252"];
}

/** A pair alone does not count: it may be a letter with an accent, or an apostrophe, with the letter after it. */
function count(bytes: Uint8Array, isFrequent: (lead: number, trail: number) => boolean) {
  let [pairs, many] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const [lead = 0, trail = 0] = bytes.subarray(at, at + 2);
    if (lead < 0x80 || at + 1 === bytes.length) continue;
    pairs++;
    if (trail < 0x40) continue;
    const touches = [at - 2, at - 1, at + 2].some((near) => (bytes[near] ?? 0) >= 0x80);
    if (touches && isFrequent(lead, trail)) many++;
    at++;
  }
  return { pairs, share: many / pairs };
}

/** Words of Cyrillic letters, most of them small. */
function isCyrillic(bytes: Uint8Array): boolean {
  const high = bytes.filter((byte) => byte >= 0x80).length;
  const inWords = bytes.filter((byte, at) => byte >= 0xe0 && (bytes[at - 1] ?? 0) >= 0xc0).length;
  return inWords > high * 0.6;
}

/** The text in this encoding, without a byte order mark, and with U+FFFD for what is no character. JSON is set out. */
export function textIn({ bytes, isCut }: Beginning, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(bytes, { stream: isCut });
  return isCut ? text : setOut(text);
}

/** Sets out JSON in lines. Other text stays as it is, and so does JSON that would then have another meaning. */
export function setOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    const withoutGaps = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
    return JSON.stringify(value) === withoutGaps ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

/** The browser cannot read a selected file. The message is for the user. */
export class Unreadable extends Error {
  override name = "Unreadable";
  override message =
    "This file was changed or removed on this device since you chose it, or can no longer be read. Choose it again.";
}

/** The bytes of a selected file, or of a part. Throws an Unreadable. */
export async function bytesOnDevice(file: Blob): Promise<ArrayBuffer> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Unreadable();
  });
  if (bytes.byteLength !== file.size) throw new Unreadable();
  return bytes;
}

/**
 * Whether a file can be stored as text, character for character: UTF-8 from first to last byte. Reads it in small
 * parts, and stops at the first invalid one. Throws an Unreadable.
 */
export async function isText(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const reader = file.stream().getReader();
  const read = () =>
    reader.read().catch(() => {
      throw new Unreadable();
    });
  try {
    let isFirst = true;
    for (let next = await read(); !next.done; next = await read()) {
      const text = decoder.decode(next.value, { stream: true });
      if (!isPlainText(text, isFirst)) return false;
      isFirst = false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
