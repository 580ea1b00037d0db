"use client";

import { UnfinishedList } from "@/components/files/unfinished-list";
import { UploadPanel } from "@/components/files/upload-panel";

const STATES = ["asking", "failed", "sending", "waiting", "done", "skipped", "cancelled"] as const;
const UPLOADS = STATES.map((state, id) => ({
  id,
  path: `/Letters/${state}.txt`,
  size: 2_400_000,
  sent: state === "done" ? 2_400_000 : 900_000,
  isPaused: false,
  state,
  error: state === "failed" ? "The service could not be reached." : "",
}));
const nothing = () => {};
const PANEL = {
  uploads: UPLOADS,
  rate: 1_240_000,
  paused: "",
  onCancel: nothing,
  onCancelAll: nothing,
  onRetry: nothing,
  onGoOn: nothing,
  onClose: nothing,
};
const UNFINISHED = ["Letters", null].map((folder, id) => ({
  id: String(id),
  folderId: "",
  folder,
  name: `film ${id}.mp4`,
  totalBytes: 90_000_000,
  received: 4_000_000,
  modified: 0,
  until: Date.UTC(2026, 10, 24, 12),
}));

/** The panel of uploads with a file in each state, on its own page and on another; and interrupted uploads. */
export function UploadStates() {
  return (
    <>
      <UnfinishedList uploads={UNFINISHED} discarding={null} error="" onGoOn={nothing} onDiscard={nothing} />
      <UploadPanel {...PANEL} isElsewhere={false} />
      <UploadPanel
        {...PANEL}
        uploads={UPLOADS.filter(({ state }) => state !== "failed")}
        isElsewhere
        onAnswer={nothing}
      />
    </>
  );
}
