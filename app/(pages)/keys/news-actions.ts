"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { markNewsSeen } from "@/lib/keys/news";
import { actor, type Outcome, outcome } from "../outcome";

/** The signed-in user has seen the news until this time. */
export async function hideNews(at: Date): Promise<Outcome<void>> {
  return outcome(async () => {
    await markNewsSeen(await actor(), z.date().parse(at));
    refresh();
  });
}
