/** How a file begins that is stored as a data: URL, with its media type, and how long that may be. */
const DATA_URL = /^data:[^,]{0,255};base64,/;
const MOST_HEAD = 300;

/** The bytes of a file from the pieces of its stored data. */
export async function* fileBytes(data: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  let head = "";
  let decode: Decoder | undefined;
  for await (const piece of data) {
    if (decode) yield decode(piece, false);
    else {
      head += piece;
      if (isUndecided(head)) continue;
      decode = decoderOf(head);
      yield decode(head.replace(DATA_URL, ""), false);
    }
  }
  decode ??= decoderOf(head);
  yield decode(isUndecided(head) ? head.replace(DATA_URL, "") : "", true);
}

type Decoder = (piece: string, isLast: boolean) => Uint8Array;

const isUndecided = (head: string) =>
  head.length < 5
    ? "data:".startsWith(head)
    : head.startsWith("data:") && !head.includes(",") && head.length < MOST_HEAD;

const decoderOf = (head: string): Decoder => (DATA_URL.test(head) ? base64Decoder() : textDecoder());

function textDecoder(): Decoder {
  const encoder = new TextEncoder();
  let half = "";
  return (piece, isLast) => {
    const text = half + piece;
    // Both halves of a pair are encoded together.
    half = !isLast && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    return encoder.encode(half ? text.slice(0, -1) : text);
  };
}

function base64Decoder(): Decoder {
  let rest = "";
  return (piece, isLast) => {
    const digits = rest + piece.replace(/[^A-Za-z0-9+/]/g, "");
    const whole = digits.length - (digits.length % (isLast ? 1 : 4));
    rest = digits.slice(whole);
    // A single last digit stands for no byte.
    const text = atob(digits.slice(0, isLast && digits.length % 4 === 1 ? -1 : whole));
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
    return bytes;
  };
}
