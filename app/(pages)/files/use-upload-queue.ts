import { useRef, useState } from "react";
import { someAtATime } from "./some-at-a-time";
import { UploadQueue } from "./upload-queue";

/** The uploads of this page, whatever folder it shows. `onStored` is called when all have arrived, and on the way there for some at a time. */
export function useUploadQueue(onStored: () => void): UploadQueue {
  const told = useRef(onStored);
  told.current = onStored;
  const [queue] = useState(() => new UploadQueue(someAtATime(() => told.current())));
  return queue;
}
