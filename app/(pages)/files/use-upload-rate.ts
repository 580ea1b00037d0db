import { useEffect, useRef, useState } from "react";
import { UploadRate } from "./upload-rate";

const EVERY_MS = 1_000;

/** How many bytes per second are sent while uploads are open: measured once a second, undefined while unknown. */
export function useUploadRate(sent: number, isOpen: boolean): number | undefined {
  const [rate, setRate] = useState<number>();
  const latest = useRef(sent);
  latest.current = sent;
  useEffect(() => {
    if (!isOpen) return;
    const measured = new UploadRate(latest.current, performance.now());
    const timer = setInterval(() => setRate(measured.measure(latest.current, performance.now())), EVERY_MS);
    return () => {
      clearInterval(timer);
      setRate(undefined);
    };
  }, [isOpen]);
  return rate;
}
