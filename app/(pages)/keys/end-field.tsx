import { TextInput, type TextInputProps } from "@/components/text-input";

/** When access ends, in the viewer's time zone; empty for never. */
export function EndField(props: TextInputProps) {
  return <TextInput label="Access ends (optional)" name="end" type="datetime-local" step={60} {...props} />;
}

/** What a form's field says, as the API takes it; undefined if it is empty. */
export function isoOf(local: string): string | undefined {
  const at = local === "" ? undefined : new Date(local);
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}

/** The value of such a field for this time. */
export function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
