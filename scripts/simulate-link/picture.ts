import { type Forecast, forecast, highestLoad, OUTSIDERS, outsidersGuesses } from "./load";
import type { Simulated } from "./simulate";

const [WIDTH, HEIGHT] = [920, 470];
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 24, 112, 56];
/** Exponents of ten: links a day from left to right, and what happens a day from bottom to top. */
const [FIRST, LAST] = [3, 8];
const [LOWEST, HIGHEST] = [-6, 4];
const STEPS = 200;

interface Line {
  name: string;
  colour: string;
  of: (load: Forecast) => number;
}

const LINES: Line[] = [
  {
    name: `Live codes hit by ${OUTSIDERS.toLocaleString("en")} networks outside`,
    colour: "hit",
    of: (one) => one.hitsADay,
  },
  { name: "Tokens stolen by a guesser in every network", colour: "stolen", of: (one) => one.stolenADay },
  { name: "Draws of letters for a code", colour: "draws", of: (one) => one.drawsPerCode },
];

/** The loads up to which six letters bear what is named. */
export function limitsOf(rude: number): { name: string; linksADay: number }[] {
  const limit = (name: string, isBearable: (load: Forecast) => boolean) => ({
    name,
    linksADay: highestLoad(isBearable, rude),
  });
  return [
    limit("A person is asked for a stranger once a day", ({ hitsADay }) => hitsADay <= 1),
    limit("A token is stolen once in a hundred days", ({ stolenADay }) => stolenADay <= 0.01),
    limit("Two draws for a code", ({ drawsPerCode }) => drawsPerCode <= 2),
    limit("One of a million requests gets no code", ({ refused }) => refused <= 1e-6),
  ];
}

/** What grows with the load, on logarithmic axes; readable on a light page and on a dark one. Dots were simulated. */
export function loadPicture(simulated: Simulated[], rude: number): string {
  const across = (links: number) =>
    round(LEFT + ((Math.log10(links) - FIRST) / (LAST - FIRST)) * (WIDTH - LEFT - RIGHT));
  const up = (value: number) =>
    round(HEIGHT - BOTTOM - ((Math.log10(value) - LOWEST) / (HIGHEST - LOWEST)) * (HEIGHT - TOP - BOTTOM));
  const powers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const rows = powers(LOWEST, HIGHEST).map(
    (power) =>
      `<path class="grid" d="M${LEFT} ${up(10 ** power)}H${WIDTH - RIGHT}"/><text class="soft" x="${LEFT - 8}" ` +
      `y="${up(10 ** power) + 4}" text-anchor="end">${named(power)}</text>`,
  );
  const columns = powers(FIRST, LAST).map(
    (power) =>
      `<text class="soft" x="${across(10 ** power)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">` +
      `${named(power)}</text>`,
  );
  const curves = LINES.map(({ colour, of }) => {
    const points = Array.from({ length: STEPS + 1 }, (_, n) => 10 ** (FIRST + (n * (LAST - FIRST)) / STEPS))
      .map((links) => forecast(links, rude))
      .filter((load) => load.refused < 1)
      .map((load) => `${across(load.linksADay)} ${up(of(load))}`);
    return `<path class="${colour}" d="M${points.join("L")}" fill="none" stroke-width="2"/>`;
  });
  const dots = simulated.flatMap(({ linksADay, draws, asked, hits, guesses }) => {
    const found: [string, number][] = [["draws", draws / asked]];
    if (hits > 0) found.push(["hit", (hits / guesses) * outsidersGuesses()]);
    return found.map(
      ([colour, value]) => `<circle class="${colour} dot" cx="${across(linksADay)}" cy="${up(value)}" r="4"/>`,
    );
  });
  const full = across(highestLoad(({ refused }) => refused <= 1e-6, rude));
  const key = LINES.map(
    ({ name, colour }, index) =>
      `<path class="${colour}" d="M24 ${44 + index * 18}h22" stroke-width="3"/>` +
      `<text x="54" y="${48 + index * 18}">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}"
  font-family="system-ui, sans-serif" font-size="13" role="img">
<title>What a growing number of links does to six letters</title>
<style>
text { fill: #212529; } .soft { fill: #5c636a; } .paper { fill: #ffffff; } .grid { stroke: #dee2e6; }
  .hit { stroke: #e8590c; } .stolen { stroke: #c2255c; } .draws { stroke: #0c8599; } .full { stroke: #868e96; }
  .dot { fill: #ffffff; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #f1f3f5; } .soft { fill: #adb5bd; } .paper { fill: #16181b; } .grid { stroke: #373b40; }
  .hit { stroke: #ff922b; } .stolen { stroke: #f783ac; } .draws { stroke: #3bc9db; } .dot { fill: #16181b; }
}
</style>
<rect class="paper" width="100%" height="100%"/>
<text x="24" y="26" font-size="16" font-weight="600">Six letters under load: on paper, and simulated (dots)</text>
${key.join("\n")}
${[...rows, ...columns, ...curves].join("\n")}
<path class="full" d="M${full} ${TOP}V${HEIGHT - BOTTOM}" stroke-width="2" stroke-dasharray="5 4"/>
<text class="soft" x="${full + 8}" y="${TOP + 14}">no letters left:</text>
<text class="soft" x="${full + 8}" y="${TOP + 31}">all used in 30 days</text>
${dots.join("\n")}
<text class="soft" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 12}" text-anchor="middle">links a day</text>
<text class="soft" x="${LEFT - 8}" y="${TOP - 10}">a day, or for a code</text>
</svg>
`;
}

const round = (value: number) => Math.round(value * 10) / 10;
const superscript = (digits: number) => [...String(digits)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
const named = (power: number) =>
  power === 0 ? "1" : power === 1 ? "10" : `10${power < 0 ? "⁻" : ""}${superscript(Math.abs(power))}`;
