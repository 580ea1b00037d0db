import { TextInput } from "@/components/text-input";

/** The field for a new username, with its rule in words. The server checks it; `error` is its response. */
export function UsernameInput({ error }: { error: string | undefined }) {
  return (
    <TextInput
      label="Username"
      name="username"
      description="3 to 20 letters, digits, _ or -"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      error={error}
      autoFocus
    />
  );
}
