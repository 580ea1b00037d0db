/** The polynomial of CRC-32 (RFC 1952, section 8), bits reversed: the highest bit is x^0. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X_TO_THE_8TH = 0x00800000;

/** The CRC-32 of two texts in a row, from the CRC-32 of each and the second one's length in bytes. */
export function combineCrc(first: number, second: number, secondLength: number): number {
  return (multiply(shiftBy(secondLength), first) ^ second) >>> 0;
}

/** The n-th one is x^(8·2^n): the square of the one before. */
const SQUARES = [X_TO_THE_8TH];

/** The factor for a CRC when `bytes` more bytes follow: x^(8·bytes). */
function shiftBy(bytes: number): number {
  let factor = ONE;
  for (let rest = bytes, n = 0; rest > 0; rest = Math.floor(rest / 2), n++) {
    const square = SQUARES[n] ?? nextSquare();
    if (rest % 2 === 1) factor = multiply(factor, square);
  }
  return factor;
}

function nextSquare(): number {
  const last = SQUARES.at(-1) ?? X_TO_THE_8TH;
  const square = multiply(last, last);
  SQUARES.push(square);
  return square;
}

/** The product of two polynomials over GF(2), modulo the CRC's, in signed integers, which are much faster. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b | 0;
  for (let rest = a | 0; rest !== 0; rest <<= 1) {
    if (rest < 0) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return product;
}
