/** The polynomial of CRC-32 (RFC 1952, section 8), bits reversed: the highest bit is x^0. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X_TO_THE_8TH = 0x00800000;

/** The CRC-32 of two texts in a row, from the CRC-32 of each and the second one's length in bytes. */
export function combineCrc(first: number, second: number, secondLength: number): number {
  return (multiply(shiftBy(secondLength), first) ^ second) >>> 0;
}

/** The factor for a CRC when `bytes` more bytes follow: x^(8·bytes), by repeated squaring. */
function shiftBy(bytes: number): number {
  let factor = ONE;
  let square = X_TO_THE_8TH;
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) factor = multiply(factor, square);
    square = multiply(square, square);
  }
  return factor;
}

/** The product of two polynomials over GF(2), modulo the CRC's. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return product >>> 0;
}
