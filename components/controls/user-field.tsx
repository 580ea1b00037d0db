import { TextInput, type TextInputProps } from "./field";

/** The name of somebody else. The browser does not complete it: it knows the reader's own. */
export function UserField(props: TextInputProps) {
  return (
    <TextInput
      name="username"
      placeholder="Username"
      required
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
