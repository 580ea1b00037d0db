"use server";

import { beginExamination, lastExamination } from "@/lib/operator/doctor/examination";
import { readLive } from "@/lib/operator/overview";
import { rotateSigning } from "@/lib/operator/rotate";
import { action } from "../action";

/** What has been answered so far. Requests are measured as long as somebody asks. */
export const readLiveNumbers = action({ who: { operator: "live numbers" }, run: () => readLive() });

/** Has the doctor examine everything in the background. */
export const examineService = action({
  who: { operator: "doctor" },
  async run(_, { id }) {
    await beginExamination(id);
    return lastExamination();
  },
});

/** How far the doctor is. */
export const readExamination = action({ who: { operator: "doctor" }, run: () => lastExamination() });

/** Creates a signing key, and returns its number. */
export const createSigningKey = action({
  who: { operator: "signing.rotate" },
  run: (_, { id }) => rotateSigning(id),
});
