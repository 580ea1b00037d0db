import type { ShownActivity } from "@/components/activity";
import type { Activity } from "@/lib/account/activity";
import { describeProgram } from "@/lib/link/program";

/** The event with the browser of a sign-in in words. */
export function withBrowser(event: Activity): ShownActivity {
  return { ...event, browser: describeProgram(event.detail.program ?? "") };
}
