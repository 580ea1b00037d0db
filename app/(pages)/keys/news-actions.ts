"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { markNewsSeen } from "@/lib/keys/view";
import { actor, type Outcome, outcome } from "../outcome";
import { read } from "../read";

/** The signed-in user has seen the news until this time. */
export async function hideNews(at: Date): Promise<Outcome<void>> {
  return outcome(async () => {
    await markNewsSeen(await actor(), read(z.date(), at));
    refresh();
  });
}
