import { TextInput } from "@/components/text-input";
import { LONGEST_USERNAME, SHORTEST_USERNAME } from "@/lib/platform/bounds";

/** The field for a new username, with its rule in words. The server checks it; `error` is its response. */
export function UsernameInput({ error }: { error: string | undefined }) {
  return (
    <TextInput
      label="Username"
      name="username"
      description={`${SHORTEST_USERNAME} to ${LONGEST_USERNAME} letters, digits, _ or -`}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      error={error}
      autoFocus
    />
  );
}
