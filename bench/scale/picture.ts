import { type Growth, growthOf, isSteep, type Measurement, MOST_PER_100 } from "./figures";
import { databasesOf, ofDatabase } from "./report";

const WIDTH = 460;
const HEIGHT = 420;
const [LEFT, RIGHT, TOP, BOTTOM] = [62, 20, 66, 48];

/** What does not depend on how busy the machine is. */
const UNITS = { pages: "Pages read", processor: "Processor time, ms," };

/** How each thing grows, one panel for each database. Both axes are logarithmic; steep lines have their names. */
export function growthPicture(measured: Measurement[]): string {
  const panels = databasesOf(measured).map((database, index) => {
    const drawn = panel(database, ofDatabase(measured, database));
    return `<g transform="translate(${index * WIDTH} 0)">${drawn}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * panels.length} ${HEIGHT}"
  font-family="system-ui, sans-serif" font-size="12" role="img">
<title>Pages read and processor time at growing sizes</title>
<style>
text { fill: #212529; } .soft { fill: #5c636a; } .paper { fill: #ffffff; } .grid { stroke: #dee2e6; }
  .flat { stroke: #0c8599; } .steep { stroke: #e8590c; } .name { fill: #c2410c; }
@media (prefers-color-scheme: dark) {
  text { fill: #f1f3f5; } .soft { fill: #adb5bd; } .paper { fill: #16181b; } .grid { stroke: #373b40; }
  .flat { stroke: #3bc9db; } .steep { stroke: #ff922b; } .name { fill: #ffa94d; }
}
</style>
<rect class="paper" width="100%" height="100%"/>
${panels.join("\n")}
</svg>
`;
}

function panel(database: string, measured: Measurement[]): string {
  const sizes = measured.map(({ size }) => size.users);
  const growth = growthOf(measured);
  const unit = growth.some(({ pages }) => pages.length > 0) ? "pages" : "processor";
  const all = growth.filter((one) => one[unit].length > 0 && one[unit].every((value) => value > 0));
  const values = all.flatMap((one) => one[unit]);
  const lowest = Math.floor(Math.log10(Math.min(...values)));
  const highest = Math.ceil(Math.log10(Math.max(...values)));
  const [first = 1, last = 10] = [sizes[0], sizes.at(-1)].map((size) => Math.log10(size ?? 1));
  const across = (users: number) =>
    round(LEFT + ((Math.log10(users) - first) / (last - first || 1)) * (WIDTH - LEFT - RIGHT));
  const up = (power: number) =>
    round(HEIGHT - BOTTOM - ((power - lowest) / (highest - lowest || 1)) * (HEIGHT - TOP - BOTTOM));
  const grid = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index).map(
    (power) =>
      `<path class="grid" d="M${LEFT} ${up(power)}H${WIDTH - RIGHT}"/><text class="soft" x="${LEFT - 6}" ` +
      `y="${up(power) + 4}" text-anchor="end">${labelOf(power)}</text>`,
  );
  const ticks = sizes.map(
    (users) =>
      `<text class="soft" x="${across(users)}" y="${HEIGHT - BOTTOM + 18}" ` +
      `text-anchor="${users === sizes.at(-1) ? "end" : "middle"}">` +
      `${users.toLocaleString("en")}</text>`,
  );
  const curve = (growth: Growth) => {
    const points = growth[unit].map((value, n) => `${across(sizes[n] ?? 1)} ${up(Math.log10(value))}`);
    const steep = isSteep(growth);
    const dots = points.map((point) => {
      const [x, y] = point.split(" ");
      return `<circle class="${steep ? "steep" : "flat"}" cx="${x}" cy="${y}" r="${steep ? 3 : 2}" fill="none"/>`;
    });
    return (
      `${dots.join("")}<path class="${steep ? "steep" : "flat"}" d="M${points.join("L")}" fill="none" ` +
      `stroke-width="${steep ? 2 : 1.2}" stroke-opacity="${steep ? 1 : 0.6}"/>`
    );
  };
  return [
    `<text x="${LEFT}" y="24" font-size="14" font-weight="600">${database}</text>`,
    `<text class="soft" x="${LEFT}" y="44">${UNITS[unit]} for each; blue: less than × ${MOST_PER_100}</text>`,
    ...grid,
    ...ticks,
    ...all.map(curve),
    ...names(all, (one) => up(Math.log10(one[unit].at(-1) ?? 1))),
    `<text class="soft" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">users</text>`,
  ].join("\n");
}

/** The names of the steep ones, above the ends of their lines, and none upon another. */
function names(all: Growth[], endOf: (growth: Growth) => number): string[] {
  let above = Number.POSITIVE_INFINITY;
  return all
    .filter(isSteep)
    .map((growth) => ({ name: growth.name, y: endOf(growth) - 5 }))
    .sort((a, b) => b.y - a.y)
    .map(({ name, y }) => {
      above = Math.min(y, above - 13);
      return `<text class="name" x="${WIDTH - RIGHT}" y="${round(above)}" text-anchor="end">${name}</text>`;
    });
}

const labelOf = (power: number) => (10 ** power).toLocaleString("en", { maximumFractionDigits: 3 });
const round = (value: number) => Math.round(value * 10) / 10;
