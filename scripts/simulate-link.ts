// npm run simulate:link   what a growing number of links does to six letters: on paper, by simulation, and as a picture
// in docs/. It needs no database, and takes about a minute.
import { writeFileSync } from "node:fs";
import { forecast, outsidersGuesses } from "./simulate-link/load";
import { limitsOf, loadPicture } from "./simulate-link/picture";
import { rudePart, simulate } from "./simulate-link/simulate";
import { ALL_CODES } from "./simulate-link/space";

const LOADS = [1e5, 1e6, 3e6, 5e6];
/** So many that hits can be counted. */
const [ASKED, GUESSES] = [100_000, 20_000_000];

const rude = rudePart();
const digits = (value: number) => (value >= 1_000 ? Math.round(value).toLocaleString("en") : value.toPrecision(2));

console.log(`${digits(ALL_CODES)} codes, of which ${(rude * 100).toFixed(1)} % are not drawn\n`);
const simulated = LOADS.map((load) => {
  const on = forecast(load, rude);
  const seen = simulate(load, ASKED, GUESSES, rude);
  const expected = (GUESSES * on.alive) / ALL_CODES;
  const margin = 1.96 * Math.sqrt(seen.hits);
  console.log(
    `${digits(load)} links a day: ${(seen.draws / ASKED).toFixed(3)} draws for a code (on paper ` +
      `${on.drawsPerCode.toFixed(3)}; ${seen.refusals.close} of ${seen.draws} were too close, ${seen.refusals.used} ` +
      `used before); ${seen.hits} ± ${margin.toFixed(0)} hits in ${digits(GUESSES)} guesses (on paper ` +
      `${expected.toFixed(1)})`,
  );
  return seen;
});
console.log(`\n${digits(outsidersGuesses())} guesses a day come from outside\n`);
for (const { name, linksADay } of limitsOf(rude)) console.log(`${name}: up to ${digits(linksADay)} links a day`);
writeFileSync("docs/link-load.svg", loadPicture(simulated, rude));
console.log("\nWrote docs/link-load.svg");
