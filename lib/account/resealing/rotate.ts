import { setTimeout as sleep } from "node:timers/promises";
import { db, sql } from "@/lib/db/client";
import { currentDataKey } from "@/lib/sealing/data-keys";
import { addDataKeyAfter } from "@/lib/sealing/rotate";
import { dataKeys, type ResealingPlace } from "@/lib/sealing/rows";
import { PASSES, resealAll } from "./reseal";

const PAUSE_MS = 1_000;

/** What became of a rotation. */
export interface Rotated {
  /** The number of the data key that everything is sealed under now. */
  dataKey: number;
  /** False: an earlier rotation, or the first sealing, was not complete yet, and now is. */
  isNew: boolean;
  keys: number;
  pieces: number;
}

/**
 * Makes a new data key and seals everything anew, while the service answers, to the end. That takes two minutes at
 * least (lib/account/resealing/reseal). What is not complete from earlier is completed instead. May be stopped at any
 * time: the service continues, and so does the next call. `onProgress` gets the completed share, from 0 to 1.
 */
export async function rotateData(onProgress: (part: number) => void = () => {}, now = new Date()): Promise<Rotated> {
  const isNew = await makeDataKey(now);
  const users = await db.user.count();
  const progress = async ({ passes, resealedTo }: ResealingPlace) => {
    const done = await db.user.count({ where: { id: { lte: resealedTo } } });
    onProgress((passes + Math.min(1, done / Math.max(1, users))) / PASSES);
  };
  const all = { keys: 0, pieces: 0 };
  for (;;) {
    const { keys, pieces, left } = await resealAll(PAUSE_MS);
    all.keys += keys;
    all.pieces += pieces;
    const [newest] = await sql.read(dataKeys());
    if (newest && left === "nothing") return { dataKey: newest.id, isNew, ...all };
    if (newest) await progress(newest);
    if (left === "later") await sleep(PAUSE_MS);
  }
}

/** False if not everything is sealed under the newest one yet. */
async function makeDataKey(now: Date): Promise<boolean> {
  await currentDataKey();
  const [newest] = await sql.read(dataKeys());
  return newest?.resealedAt ? addDataKeyAfter(newest.id, now) : false;
}
