import { useEffect, useRef, useState } from "react";

/** The text of a field while it is typed. What was typed before this script had loaded counts too. */
export function useTyped(initial: string) {
  const [text, setText] = useState(initial);
  const ref = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (ref.current) setText(ref.current.value);
  }, []);

  return { text, setText, field: { ref, value: text, onChange: () => setText(ref.current?.value ?? "") } };
}
