import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { askForCode } from "@/lib/link/ask";
import { hashMasks } from "@/lib/link/hashes";
import { ALPHABET, CODE_LENGTH, drawLetters } from "@/lib/link/letters";
import { collectToken } from "@/lib/link/poll";
import { forecast, guessesADay, OUTSIDERS, outsidersGuesses } from "@/scripts/simulate-link/load";
import { rudePart, simulate } from "@/scripts/simulate-link/simulate";
import { ALL_CODES, LetterSpace, lettersOf, numberOf } from "@/scripts/simulate-link/space";
import { newNetwork } from "@/tests/support/network";
import { neverGiven } from "./flow";

const PROGRAM = "program/1.0";
const asker = () => ({ network: newNetwork(), program: PROGRAM, webPage: null });

/** The letters with this many of them replaced by others. */
function changed(letters: string, count: number): string {
  const places = Array.from(letters, (_, place) => place).sort(() => Math.random() - 0.5);
  return places.slice(0, count).reduce((text, place) => {
    const other = ALPHABET[(ALPHABET.indexOf(text[place] ?? "") + 1 + place) % ALPHABET.length] ?? "";
    return text.slice(0, place) + other + text.slice(place + 1);
  }, letters);
}

/** Whether the service would store such a code beside those that it has. `linkId`: of one without masks. */
async function isFree(letters: string, linkId: string): Promise<boolean> {
  try {
    await db.$transaction(async (tx) => {
      await tx.linkMask.create({ data: { linkId, ...hashMasks(letters) } });
      throw new Error("free");
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    if ((error as Error).message !== "free") throw error;
  }
  return true;
}

test("numbers and letters of codes are the same", () => {
  expect(ALL_CODES).toBe(ALPHABET.length ** CODE_LENGTH);
  for (let n = 0; n < 200; n++) {
    const letters = drawLetters();
    expect(lettersOf(numberOf(letters))).toBe(letters);
  }
});

test("the simulation takes the codes that the service issues, and refuses those that it would refuse", async () => {
  const space = new LetterSpace();
  const issued: string[] = [];
  for (let n = 0; n < 20; n++) {
    const { code } = await askForCode(asker());
    expect(space.isClose(numberOf(code))).toBe(false);
    space.issue(numberOf(code));
    issued.push(code);
  }
  const { id } = await askForCode(asker());
  await db.linkMask.delete({ where: { linkId: id } });
  const seen = { free: 0, close: 0 };
  for (const code of issued)
    for (const differing of [0, 1, 2, 6]) {
      const letters = changed(code, differing);
      const isClose = space.isClose(numberOf(letters));
      expect([letters, await isFree(letters, id)]).toEqual([letters, !isClose]);
      seen[isClose ? "close" : "free"]++;
    }
  // Of the letters that differ in two and more, some may be close to another of these codes.
  expect(seen.close).toBeGreaterThanOrEqual(40);
  expect(seen.free).toBeGreaterThan(30);
});

test("a network's guesses that the service checks are those of the simulation", async () => {
  const guesser = asker();
  let checked = 0;
  for (let n = 0; n < env.LINK_FOREIGN_CODES_PER_10_MINUTES + 10; n++) {
    const isChecked = await collectToken(neverGiven(), guesser, null).then(
      () => true,
      (error) => {
        if (error instanceof ApiError && error.status === 429) return false;
        throw error;
      },
    );
    if (isChecked) checked++;
  }
  expect(guessesADay(checked) * OUTSIDERS).toBe(outsidersGuesses());
});

test("the simulation and the paper agree", () => {
  const rude = rudePart(50_000);
  const load = 200_000;
  const [asked, guesses] = [20_000, 4_000_000];
  const { draws, refusals, hits } = simulate(load, asked, guesses, rude);
  const on = forecast(load, rude);
  expect(draws / asked / on.drawsPerCode).toBeGreaterThan(0.97);
  expect(draws / asked / on.drawsPerCode).toBeLessThan(1.03);
  expect(draws).toBe(asked + refusals.rude + refusals.close + refusals.used);
  // Five times the standard deviation, so that it fails by chance in one of a million runs.
  const expected = (guesses * on.alive) / ALL_CODES;
  expect(Math.abs(hits - expected)).toBeLessThan(5 * Math.sqrt(expected) + 1);
});
