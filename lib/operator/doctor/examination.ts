import { audit, SERVICE } from "@/lib/platform/audit";
import { db, sql, transaction } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { keepAwake } from "@/lib/platform/process";
import { isRecent, within } from "@/lib/platform/time";
import { addExamination } from "../queries";
import { examine } from "./examine";
import type { Finding } from "./finding";

const ID = "doctor";
const SAVED_EVERY_MS = 2_000;
/** Its process has ended, if it has not saved for this long. */
const SILENT_MS = 30_000;
/** More would add nothing: the doctor itself stops at twenty of most kinds. */
const MAX = 200;

export interface ExaminationState {
  startedAt: Date;
  state: "running" | "ended" | "interrupted";
  /** When it ended, or was last heard of. */
  at: Date;
  findings: Finding[];
}

/** The last examination, by whatever process; null if there was none. */
export async function lastExamination(now = new Date()): Promise<ExaminationState | null> {
  const row = await db.examination.findUnique({ where: { id: ID } });
  if (!row) return null;
  const { startedAt, endedAt, refreshedAt } = row;
  const state = endedAt ? "ended" : isRecent(SILENT_MS, refreshedAt, now) ? "running" : "interrupted";
  return { startedAt, state, at: endedAt ?? refreshedAt, findings: JSON.parse(row.findings) };
}

/**
 * Has the doctor examine everything in the background, unless one is at it already. It resolves when it has begun;
 * `lastExamination` tells how far it is.
 */
export async function beginExamination(actorId: string, now = new Date()): Promise<void> {
  const begins = { startedAt: now, refreshedAt: now, endedAt: null, findings: "[]" };
  await sql.batch([addExamination(ID, now)]);
  const isOurs = await transaction(async (tx) => {
    const { count } = await tx.examination.updateMany({
      where: { id: ID, OR: [{ endedAt: { not: null } }, { NOT: { refreshedAt: within(SILENT_MS, now) } }] },
      data: begins,
    });
    if (count === 1) await audit({ at: now, action: "doctor.run", subjectId: SERVICE, actorId }, tx);
    return count === 1;
  });
  if (isOurs) keepAwake(run(now));
}

/** Does not throw. */
async function run(startedAt: Date): Promise<void> {
  const findings: Finding[] = [];
  const save = async (endedAt: Date | null) => {
    const data = { refreshedAt: new Date(), endedAt, findings: JSON.stringify(findings) };
    await db.examination.updateMany({ where: { id: ID, startedAt, endedAt: null }, data });
  };
  // A long check finds nothing for minutes.
  const saving = setInterval(() => void save(null).catch(() => {}), SAVED_EVERY_MS);
  try {
    for await (const finding of examine()) if (findings.length < MAX) findings.push(finding);
    clearInterval(saving);
    await save(new Date());
  } catch (error) {
    log.error({ err: error }, "the examination that an administrator began failed");
  } finally {
    clearInterval(saving);
  }
}
