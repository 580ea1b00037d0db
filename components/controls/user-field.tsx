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

/** The username of an account that is to be deleted, typed to confirm that. */
export function TypedName({ label, name }: { label: string; name: string }) {
  return <UserField label={label} description={`Type ${name} to confirm.`} placeholder={undefined} />;
}
