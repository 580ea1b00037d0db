import { useEffect, useRef, useState } from "react";

/** The text of a field while it is edited, including text entered before this script had loaded. */
export function useFieldText(initial: string) {
  const [text, setText] = useState(initial);
  const ref = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (ref.current) setText(ref.current.value);
  }, []);

  const onChange = () => setText(ref.current?.value ?? "");

  return { text, setText, field: { ref, value: text, onChange } };
}
