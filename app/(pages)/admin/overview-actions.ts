"use server";

import { beginExamination, type ExaminationState, lastExamination } from "@/lib/operator/doctor/examination";
import { readLive } from "@/lib/operator/overview";
import type { LiveReading } from "@/lib/operator/rates";
import type { Outcome } from "../outcome";
import { consoleAction } from "./console-request";

/** What has been answered so far. Requests are measured as long as somebody asks. */
export async function readLiveNumbers(): Promise<Outcome<LiveReading>> {
  return consoleAction("live numbers", readLive);
}

/** Has the doctor examine everything in the background. */
export async function examineService(): Promise<Outcome<ExaminationState | null>> {
  return consoleAction("doctor", async ({ id }) => {
    await beginExamination(id);
    return lastExamination();
  });
}

/** How far the doctor is. */
export async function readExamination(): Promise<Outcome<ExaminationState | null>> {
  return consoleAction("doctor", () => lastExamination());
}
