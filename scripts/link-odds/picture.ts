import { type Odds, TARGET } from "./paper";

const WIDTH = 920;
const LEFT = 250;
const RIGHT = 70;
const TOP = 84;
const ROW = 46;
const BOTTOM = 44;
/** Exponents of ten, from left to right. */
const LOWEST = -8;
const HIGHEST = 1;
const BEFORE = "#f08c00";
const NOW = "#0c8599";

/** The odds before and now, as bars on a logarithmic scale; readable on a light page and on a dark one. */
export function picture(odds: Odds[]): string {
  const bottom = TOP + odds.length * ROW;
  const across = (power: number) => LEFT + ((power - LOWEST) / (HIGHEST - LOWEST)) * (WIDTH - LEFT - RIGHT);
  const grid = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, index) => LOWEST + index).map((power) => {
    const x = across(power);
    return (
      `<path class="grid" d="M${x} ${TOP - 8}V${bottom}"/><text class="soft" x="${x}" y="${bottom + 18}" ` +
      `text-anchor="middle">${name(power)}</text>`
    );
  });
  const bar = (value: number, y: number, colour: string) => {
    if (value === 0)
      return `<circle cx="${LEFT}" cy="${y + 7}" r="4" fill="${colour}"/><text x="${LEFT + 9}" y="${y + 12}">0</text>`;
    const end = across(Math.log10(value));
    return (
      `<path d="M${LEFT} ${y}H${end}V${y + 14}H${LEFT}Z" fill="${colour}"/><text x="${end + 6}" ` +
      `y="${y + 12}">${value.toPrecision(2)}</text>`
    );
  };
  const rows = odds.map(({ attack, before, now }, index) => {
    const y = TOP + index * ROW;
    return (
      `<text x="${LEFT - 12}" y="${y + 20}" ` +
      `text-anchor="end">${attack}</text>${bar(before, y, BEFORE)}${bar(now, y + 17, NOW)}`
    );
  });
  const key = (x: number, colour: string, words: string) =>
    `<path d="M${x} 42h14v10h-14Z" fill="${colour}"/><text x="${x + 20}" y="52">${words}</text>`;
  const target = across(Math.log10(TARGET));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + BOTTOM}" 
  font-family="system-ui, sans-serif" font-size="13" role="img">
<title>Stolen tokens a day, before and now</title>
<style>
text { fill: #212529; } .soft { fill: #5c636a; } .paper { fill: #ffffff; } .grid { stroke: #dee2e6; }
  .target { stroke: #e03131; } .limit { fill: #c92a2a; }
@media (prefers-color-scheme: dark) {
  text { fill: #f1f3f5; } .soft { fill: #adb5bd; } .paper { fill: #16181b; } .grid { stroke: #373b40; }
  .target { stroke: #ff8787; } .limit { fill: #ffa8a8; }
}
</style>
<rect class="paper" width="100%" height="100%"/>
<text x="24" y="26" font-size="16" font-weight="600">Stolen tokens a day, at 1,000 links a day</text>
${key(24, BEFORE, "before")}
${key(110, NOW, "now")}
<text class="limit" x="${target}" y="${TOP - 16}" text-anchor="middle">target: 10⁻⁵</text>
${grid.join("\n")}
${rows.join("\n")}
<path class="target" d="M${target} ${TOP - 8}V${bottom}" stroke-width="2" stroke-dasharray="5 4"/>
<text class="soft" x="24" y="${bottom + BOTTOM - 6}">
  Onlooker and forged address: tokens for each code that they see.</text>
</svg>
`;
}

const name = (power: number) => (power === 0 ? "1" : power === 1 ? "10" : `10⁻${"⁰¹²³⁴⁵⁶⁷⁸⁹"[-power]}`);
