import type { Connections } from "./parts/connections";
import type { Growth } from "./parts/growth";

interface Line {
  name: string;
  colour: string;
  points: { x: number; y: number }[];
}

interface Panel {
  title: string;
  xTitle: string;
  yTitle: string;
  xName: (x: number) => string;
  lines: Line[];
}

const WIDTH = 460;
const HEIGHT = 320;
const LEFT = 62;
const RIGHT = 18;
const TOP = 58;
const BOTTOM = 46;
const OURS = "#0b7285";
const FLOOR = "#868e96";

/** What the benchmark measured at several sizes, as one picture: two panels, logarithmic sizes from left to right. */
export function plot(connections: Connections[], growth: Growth[]): string {
  const panels: Panel[] = [
    {
      title: "Reading a key over more connections",
      xTitle: "connections",
      yTitle: "requests/s",
      xName: String,
      lines: [
        {
          name: "Latchkey",
          colour: OURS,
          points: connections.map((row) => ({ x: row.connections, y: row.ours.requestsPerSecond })),
        },
        {
          name: "bare node:http",
          colour: FLOOR,
          points: connections.map((row) => ({ x: row.connections, y: row.floor.requestsPerSecond })),
        },
      ],
    },
    {
      title: "Reading a key among more keys and users",
      xTitle: "keys and users",
      yTitle: "p50, ms, 32 connections",
      xName: (keys) => `10${superscript(Math.round(Math.log10(keys)))}`,
      lines: [
        { name: "Latchkey", colour: OURS, points: growth.map(({ keys, p50 }) => ({ x: keys, y: p50 })) },
        {
          name: "bare node:http",
          colour: FLOOR,
          points: growth.map(({ keys, floorP50 }) => ({ x: keys, y: floorP50 })),
        },
      ],
    },
  ];
  const drawn = panels
    .map((panel, index) => `<g transform="translate(${index * WIDTH} 0)">${draw(panel)}</g>`)
    .join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * panels.length} ${HEIGHT}"
  font-family="system-ui, sans-serif" font-size="12" fill="#212529">
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn}
</svg>
`;
}

function draw({ title, xTitle, yTitle, xName, lines }: Panel): string {
  const xs = lines[0]?.points.map(({ x }) => x) ?? [];
  const most = niceAbove(Math.max(...lines.flatMap(({ points }) => points.map(({ y }) => y))));
  const [low = 1, high = 2] = [Math.log(xs[0] ?? 1), Math.log(xs.at(-1) ?? 2)];
  const across = (x: number) => round(LEFT + ((Math.log(x) - low) / (high - low || 1)) * (WIDTH - LEFT - RIGHT));
  const up = (y: number) => round(HEIGHT - BOTTOM - (y / most) * (HEIGHT - TOP - BOTTOM));
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = up(share * most);
    const label = (share * most).toLocaleString("en", { maximumFractionDigits: 2 });
    return (
      `<path d="M${LEFT} ${y}H${WIDTH - RIGHT}" stroke="#dee2e6"/><text x="${LEFT - 6}" y="${y + 4}" ` +
      `text-anchor="end">${label}</text>`
    );
  });
  const ticks = xs.map(
    (x) => `<text x="${across(x)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${xName(x)}</text>`,
  );
  const curves = lines.map(({ name, colour, points }, index) => {
    const path = points.map(({ x, y }, n) => `${n === 0 ? "M" : "L"}${across(x)} ${up(y)}`).join("");
    const dots = points
      .map(({ x, y }) => `<circle cx="${across(x)}" cy="${up(y)}" r="3.5" fill="${colour}"/>`)
      .join("");
    const at = LEFT + index * 110;
    const key = `<circle cx="${at + 4}" cy="40" r="4" fill="${colour}"/><text x="${at + 13}" y="44">${name}</text>`;
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}${key}`;
  });
  return [
    `<text x="${LEFT}" y="22" font-size="14" font-weight="600">${title}</text>`,
    ...grid,
    ...ticks,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${xTitle}</text>`,
    `<text transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${yTitle}</text>`,
    ...curves,
  ].join("\n");
}

/** The next of 1, 2, 4 or 8 times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return (([1, 2, 4, 8].find((step) => step * power >= value) ?? 10) as number) * power;
}

const round = (value: number) => Math.round(value * 10) / 10;

const superscript = (digit: number) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit] ?? "";
