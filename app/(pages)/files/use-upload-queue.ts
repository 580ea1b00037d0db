import { useRef, useState } from "react";
import { UploadQueue } from "./upload-queue";

/** How long what has arrived may wait before the list shows it. */
const REFRESH_MS = 1_500;

/** The uploads of this page, whatever folder it shows. `onStored` is called when some have arrived, not for each of them. */
export function useUploadQueue(onStored: () => void): UploadQueue {
  const told = useRef(onStored);
  told.current = onStored;
  const [queue] = useState(() => new UploadQueue(atMostEvery(REFRESH_MS, () => told.current())));
  return queue;
}

function atMostEvery(milliseconds: number, work: () => void): () => void {
  let isComing = false;
  return () => {
    if (isComing) return;
    isComing = true;
    setTimeout(() => {
      isComing = false;
      work();
    }, milliseconds);
  };
}
