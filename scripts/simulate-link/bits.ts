/** A set of numbers below a limit, one bit each. */
export class Bits {
  private readonly words: Uint32Array;

  constructor(limit: number) {
    this.words = new Uint32Array(Math.ceil(limit / 32));
  }

  has(number: number): boolean {
    return ((this.words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
  }

  add(number: number): void {
    this.words[number >>> 5] = (this.words[number >>> 5] ?? 0) | (1 << (number & 31));
  }

  remove(number: number): void {
    this.words[number >>> 5] = (this.words[number >>> 5] ?? 0) & ~(1 << (number & 31));
  }
}
