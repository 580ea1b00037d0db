import type { ShownActivity } from "@/components/content/event-list";
import { describeProgram } from "@/lib/platform/user-agent";
import type { Activity } from "@/lib/user-data/activity";

/** The event with the browser of a sign-in in words. */
export function withBrowser(event: Activity): ShownActivity {
  return { ...event, browser: describeProgram(event.detail.program ?? "") };
}
