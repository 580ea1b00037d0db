import { randomFillSync } from "node:crypto";
import { APPROVE_WITHIN_SECONDS, REUSE_AFTER_SECONDS } from "@/lib/link/lifetimes";
import { isRude } from "@/lib/link/rude";
import { ALIVE_SECONDS, DAY } from "../link-odds/paper";
import { ABANDONED, abandonedAt, aliveAt } from "./load";
import { ALL_CODES, LetterSpace, lettersOf } from "./space";

/** What happened while so many codes were asked for and so many guessed at. */
export interface Simulated {
  linksADay: number;
  asked: number;
  /** Draws of letters, and those that were refused, by reason. */
  draws: number;
  refusals: Record<"rude" | "close" | "used", number>;
  guesses: number;
  hits: number;
}

/** Random codes, drawn from the system's generator in blocks: one of 32 bits would leave out many of them. */
function codesAtRandom(): () => number {
  const block = new Uint32Array(1 << 14);
  let next = block.length;
  return () => {
    for (;;) {
      if (next === block.length) {
        randomFillSync(block);
        next = 0;
      }
      const value = block[next++] as number;
      // What is left above the last multiple would make some codes likelier.
      if (value < FAIR) return value % ALL_CODES;
    }
  };
}

const FAIR = Math.floor(2 ** 32 / ALL_CODES) * ALL_CODES;

/** The part of all letters that contain a word which nobody wants to read out. */
export function rudePart(samples = 200_000): number {
  const draw = codesAtRandom();
  let rude = 0;
  for (let n = 0; n < samples; n++) if (isRude(lettersOf(draw()))) rude++;
  return rude / samples;
}

/** A code that somebody is about to collect can be hit; one that is abandoned only keeps others away. */
interface Code {
  code: number;
  isUsed: boolean;
  endsAt: number;
}

/**
 * A service with this load, as it is after a month: `asked` codes are asked for, and meanwhile `guesses` random letters
 * are polled for, evenly.
 */
export function simulate(linksADay: number, asked: number, guesses: number, rude: number): Simulated {
  const draw = codesAtRandom();
  const space = new LetterSpace();
  const used = new Set<number>();
  const ends = new Ends();
  const begin = (code: number, isUsed: boolean, endsAt: number) => {
    space.issue(code);
    if (isUsed) used.add(code);
    ends.add({ code, isUsed, endsAt });
  };

  // Rude ones among them are never drawn, so that the others are as many as were issued.
  const month = (linksADay * REUSE_AFTER_SECONDS) / DAY / (1 - rude);
  for (let n = 0; n < month; ) {
    const code = draw();
    if (space.isUsed(code)) continue;
    space.markUsed(code);
    n++;
  }
  const lasting = () => -Math.log(1 - Math.random()) * ALIVE_SECONDS;
  const waiting: [count: number, isUsed: boolean, left: () => number][] = [
    [aliveAt(linksADay), true, lasting],
    [abandonedAt(linksADay), false, () => Math.random() * APPROVE_WITHIN_SECONDS],
  ];
  for (const [count, isUsed, left] of waiting)
    for (let n = 0; n < Math.round(count); ) {
      const code = draw();
      if (space.isClose(code)) continue;
      begin(code, isUsed, left());
      n++;
    }

  const done: Simulated = { linksADay, asked, draws: 0, refusals: { rude: 0, close: 0, used: 0 }, guesses, hits: 0 };
  const apart = DAY / linksADay;
  for (let n = 0, guessed = 0; n < asked; n++) {
    const now = n * apart;
    for (let ended = ends.before(now); ended; ended = ends.before(now)) {
      space.end(ended.code);
      used.delete(ended.code);
    }
    for (; guessed < ((n + 1) * guesses) / asked; guessed++) if (used.has(draw())) done.hits++;
    for (;;) {
      const code = draw();
      done.draws++;
      const refusal = space.refusalOf(code);
      if (refusal) {
        done.refusals[refusal]++;
        continue;
      }
      const isUsed = Math.random() >= ABANDONED;
      begin(code, isUsed, now + (isUsed ? lasting() : APPROVE_WITHIN_SECONDS));
      break;
    }
  }
  return done;
}

/** Codes by when they end: a heap. */
class Ends {
  private readonly heap: Code[] = [];

  add(code: Code): void {
    const { heap } = this;
    let place = heap.push(code) - 1;
    for (
      let above = (place - 1) >> 1;
      place > 0 && (heap[above] as Code).endsAt > code.endsAt;
      above = (place - 1) >> 1
    ) {
      heap[place] = heap[above] as Code;
      place = above;
    }
    heap[place] = code;
  }

  /** The next code that ends before this time, if there is one. */
  before(time: number): Code | undefined {
    const { heap } = this;
    const [first] = heap;
    if (!first || first.endsAt > time) return undefined;
    const last = heap.pop() as Code;
    if (heap.length === 0) return first;
    let place = 0;
    for (let below = 1; below < heap.length; below = 2 * place + 1) {
      if (below + 1 < heap.length && (heap[below + 1] as Code).endsAt < (heap[below] as Code).endsAt) below++;
      if ((heap[below] as Code).endsAt >= last.endsAt) break;
      heap[place] = heap[below] as Code;
      place = below;
    }
    heap[place] = last;
    return first;
  }
}
