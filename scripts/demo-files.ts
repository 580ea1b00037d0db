import { crc32, deflateSync } from "node:zlib";
import type { NewUser } from "@/lib/accounts/ways-in/create";
import { createFolder, putFile } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { DAY_MS, HOUR_MS, later } from "@/lib/platform/time";

const start = new Date();
/** So many days ago, each at another hour. */
const daysAgo = (days: number) => later(start, -days * (DAY_MS + HOUR_MS));

/** Files with texts, pictures and sounds for two users. */
export async function createDemoFiles(alice: NewUser, bob: NewUser): Promise<void> {
  const letters = await createFolder(alice, undefined, { name: "Letters", now: daysAgo(40) });
  const artwork = await createFolder(alice, undefined, { name: "Artwork", now: daysAgo(35) });
  await put(alice, artwork.id, { name: "logo.svg", content: LOGO, days: 31 });
  await put(alice, undefined, { name: "chime.wav", content: chime(), days: 20 });
  await put(alice, letters.id, { name: "to the harbour museum.txt", content: LETTER, days: 12 });
  await put(alice, artwork.id, { name: "dunes.png", content: landscape(DUNES), days: 9 });
  await put(alice, undefined, { name: "night crossing.png", content: landscape(NIGHT), days: 5 });
  await put(alice, undefined, { name: "hills at dawn.png", content: landscape(DAWN), days: 3 });
  await put(alice, undefined, { name: "sales.csv", content: SALES, days: 2 });
  const plan = await put(alice, undefined, { name: "old plan.txt", content: "Sell it in March.\n", days: 1 });
  await put(alice, undefined, { name: "ideas.md", content: IDEAS, days: 1 });
  await deleteEntries(alice, [plan.id]);

  const recordings = await createFolder(bob, undefined, { name: "Recordings", now: daysAgo(9) });
  await put(bob, undefined, { name: "microphones.txt", content: MICROPHONES, days: 8 });
  await put(bob, recordings.id, { name: "bell at noon.wav", content: chime(), days: 7 });
}

/** Stores a file so many `days` ago: its folder has changed then, too. */
function put(
  user: NewUser,
  folderId: string | undefined,
  { name, content, days }: { name: string; content: string | Buffer; days: number },
) {
  return putFile(user, folderId, { name, bytes: Buffer.from(content), onExisting: "refuse", now: daysAgo(days) });
}

const MICROPHONES = "Two small ones for the harbour, one with fur against the wind.\n";

const LETTER = `Dear harbour museum,

your lighthouse is in our game now: level 3, behind the second reef. May we
name it after you? In return, your visitors get twenty keys.

Kind regards
alice, Tidepool
`;

const IDEAS = `# Ideas

- The tide turns every four minutes, and some doors only open at low water.
- Crabs give directions, but always sideways.
- A lighthouse that blinks back if you wait.

## Not now

- Weather. It rains enough outside.
`;

const SALES = `month,copies,refunds
2026-07,118,3
2026-08,164,2
2026-09,97,1
2026-10,142,4
`;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">
  <circle cx="60" cy="60" r="56" fill="rgb(24 78 119)"/>
  <path d="M8 70q13-16 26 0t26 0 26 0 26 0v8a56 56 0 0 1-104 0z" fill="rgb(82 182 154)"/>
  <circle cx="76" cy="42" r="14" fill="rgb(255 214 102)"/>
</svg>
`;

type Colour = readonly [red: number, green: number, blue: number];

/** A sky from top to bottom, a sun or moon, and ridges from far to near. */
interface Scene {
  sky: readonly [Colour, Colour];
  disc: { x: number; y: number; radius: number; colour: Colour };
  ridges: readonly Colour[];
}

const DAWN: Scene = {
  sky: [
    [92, 124, 178],
    [255, 205, 150],
  ],
  disc: { x: 0.68, y: 0.5, radius: 0.09, colour: [255, 240, 200] },
  ridges: [
    [196, 144, 150],
    [140, 106, 138],
    [84, 76, 114],
    [40, 46, 78],
  ],
};
const NIGHT: Scene = {
  sky: [
    [12, 18, 48],
    [52, 74, 122],
  ],
  disc: { x: 0.27, y: 0.26, radius: 0.07, colour: [244, 240, 220] },
  ridges: [
    [38, 58, 100],
    [26, 42, 78],
    [14, 24, 50],
  ],
};
const DUNES: Scene = {
  sky: [
    [120, 190, 206],
    [246, 236, 206],
  ],
  disc: { x: 0.42, y: 0.3, radius: 0.06, colour: [255, 252, 236] },
  ridges: [
    [232, 194, 130],
    [214, 164, 98],
    [186, 128, 72],
    [140, 90, 54],
  ],
};

const [WIDTH, HEIGHT] = [960, 600];

const mixed = (one: Colour, other: Colour, share: number): Colour => {
  const part = Math.min(1, Math.max(0, share));
  const between = (n: 0 | 1 | 2) => one[n] + (other[n] - one[n]) * part;
  return [between(0), between(1), between(2)];
};

/** A picture of a scene, as PNG. */
function landscape({ sky: [top, bottom], disc, ridges }: Scene): Buffer {
  const ridgeAt = (n: number, x: number) =>
    HEIGHT * (0.55 + (0.36 * n) / ridges.length) +
    34 * Math.sin(x / (150 - 18 * n) + 2.4 * n) +
    14 * Math.sin(x / (61 - 6 * n) + 5 * n);
  return png((x, y) => {
    const distance = Math.hypot(x - disc.x * WIDTH, y - disc.y * HEIGHT);
    const radius = disc.radius * HEIGHT;
    const glow = 0.45 * Math.exp(-Math.max(0, distance - radius) / (2 * radius));
    const air = mixed(mixed(top, bottom, y / (0.75 * HEIGHT)), disc.colour, glow);
    // Half a pixel on both sides of an edge is a mixture.
    const behind = mixed(air, disc.colour, radius - distance + 0.5);
    return ridges.reduce((colour, ridge, n) => mixed(colour, ridge, y - ridgeAt(n, x) + 0.5), behind);
  });
}

/** A picture in PNG: a header, and rows of differences from the row above, compressed. */
function png(colourAt: (x: number, y: number) => Colour): Buffer {
  const row = 3 * WIDTH;
  const pixels = new Uint8Array(row * HEIGHT);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) pixels.set(colourAt(x, y).map(Math.round), y * row + 3 * x);
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const above = y === 0 ? undefined : pixels.subarray((y - 1) * row);
    return [Uint8Array.of(2), pixels.slice(y * row, (y + 1) * row).map((byte, n) => byte - (above?.[n] ?? 0))];
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head.set([8, 2], 8);
  const chunks = [
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Two seconds of three fading notes, as WAV. */
function chime(): Buffer {
  const rate = 16_000;
  const sound = Buffer.alloc(44 + 2 * 2 * rate);
  sound.write("RIFF");
  sound.writeUInt32LE(sound.length - 8, 4);
  sound.write("WAVEfmt ", 8);
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, 2 * rate],
    [40, sound.length - 44],
  ] as const)
    sound.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    sound.writeUInt16LE(value, at);
  sound.write("data", 36);
  for (let n = 0; n < 2 * rate; n++) {
    const notes = [523.25, 659.25, 783.99].map((hertz, index) => {
      const seconds = n / rate - 0.3 * index;
      return seconds < 0 ? 0 : Math.sin(2 * Math.PI * hertz * seconds) * Math.exp(-3 * seconds);
    });
    sound.writeInt16LE(Math.round(8_000 * notes.reduce((sum, note) => sum + note)), 44 + 2 * n);
  }
  return sound;
}
