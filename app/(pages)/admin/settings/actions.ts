"use server";

import { rotateSigning } from "@/lib/operator/secrets";
import type { Outcome } from "../../outcome";
import { consoleAction } from "../console-request";

/** Creates a signing key, and returns its number. */
export async function createSigningKey(): Promise<Outcome<number>> {
  return consoleAction("signing.rotate", ({ id }) => rotateSigning(id));
}
