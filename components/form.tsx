"use client";

import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { IconButton } from "./buttons";
import styles from "./form.module.css";
import { IconChevronDown, IconEye, IconEyeOff } from "./icons";

/** What is wrong with the fields of the form around them, by their names. */
const FieldErrors = createContext<Record<string, string>>({});

/** What stands around every field for a text. */
interface FieldAppearance {
  label?: ReactNode;
  /** A sentence between the label and the field. */
  description?: ReactNode;
  /** What is wrong with what was typed, if not the form says it. Also read out. */
  error?: ReactNode;
  size?: "sm" | "md";
  /** An icon inside the field, before its text. */
  leftSection?: ReactNode;
  /** Of the whole field, with its label. */
  className?: string;
  /** Of the element that is typed in. */
  inputClassName?: string;
}

/** What the element that is typed in must have. */
interface InputAttributes {
  id: string;
  className: string | undefined;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

interface FieldProps extends FieldAppearance {
  id: string | undefined;
  name?: string;
  disabled?: boolean;
  /** The element that is typed in. */
  children: (attributes: InputAttributes) => ReactNode;
}

/** A label, a description, the element that is typed in, and what is wrong with it, which screen readers connect. */
function Field(props: FieldProps) {
  const { label, description, size = "md", leftSection, className, inputClassName, children } = props;
  const errors = useContext(FieldErrors);
  // Nobody can correct what is disabled.
  const error = props.error ?? (props.disabled ? undefined : errors[props.name ?? ""]);
  const own = useId();
  const id = props.id ?? own;
  const [descriptionId, errorId] = [`${id}-description`, `${id}-error`];
  const describedBy = [error ? errorId : "", description ? descriptionId : ""].filter(Boolean).join(" ");
  return (
    <div className={className} data-size={size}>
      {label && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      {description && (
        <p id={descriptionId} className={styles.description}>
          {description}
        </p>
      )}
      <div className={styles.box} data-size={size} data-icon={leftSection ? true : undefined}>
        {leftSection && <span className={styles.icon}>{leftSection}</span>}
        {children({
          id,
          className: inputClassName ? `${styles.input} ${inputClassName}` : styles.input,
          "aria-invalid": error ? true : undefined,
          "aria-describedby": describedBy || undefined,
        })}
      </div>
      {error && (
        <p id={errorId} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

export type TextInputProps = FieldAppearance & Omit<ComponentProps<"input">, "size">;

/** The browser's own field for one line, with its label, description and error. */
export function TextInput(props: TextInputProps) {
  const { label, description, error, size, leftSection, className, inputClassName, id, ...others } = props;
  return (
    <Field {...props} id={id}>
      {(attributes) => <input {...others} {...attributes} />}
    </Field>
  );
}

/** The browser's own field for several lines, with its label, description and error. */
export function Textarea(props: FieldAppearance & ComponentProps<"textarea">) {
  const { label, description, error, size, leftSection, className, inputClassName, id, ...others } = props;
  return (
    <Field {...props} id={id}>
      {(attributes) => <textarea {...others} {...attributes} />}
    </Field>
  );
}

type PasswordFieldProps = FieldAppearance & Omit<ComponentProps<"input">, "size" | "type">;

/** A required field for a password, and a button that shows what was typed. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, description, error, size, leftSection, className, inputClassName, id, ...others } = props;
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <Field {...props} id={id} inputClassName={styles.password}>
      {(attributes) => (
        <>
          <input required {...others} {...attributes} type={isShown ? "text" : "password"} />
          <IconButton
            aria-label="Show or hide password"
            aria-pressed={isShown}
            tabIndex={-1}
            disabled={others.disabled}
            className={styles.toggle}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setShown(!isShown)}
          >
            <Icon size={22} stroke={1.5} />
          </IconButton>
        </>
      )}
    </Field>
  );
}

interface Choice {
  value: string;
  label: string;
}

type SelectFieldProps = Omit<FieldAppearance, "leftSection"> &
  Omit<ComponentProps<"select">, "size" | "children"> & {
    /** What can be selected, in this order; some of it in groups. */
    data: readonly (Choice | { group: string; items: readonly Choice[] })[];
  };

/** The browser's own list of choices, with its label, description and error. */
export function SelectField(props: SelectFieldProps) {
  const { label, description, error, size, className, inputClassName, id, data, ...others } = props;
  return (
    <Field {...props} id={id} inputClassName={styles.select}>
      {(attributes) => (
        <>
          <select {...others} {...attributes}>
            {data.map((one) =>
              "group" in one ? (
                <optgroup key={one.group} label={one.group}>
                  {one.items.map(option)}
                </optgroup>
              ) : (
                option(one)
              ),
            )}
          </select>
          <IconChevronDown size={16} stroke={2} className={styles.mark} />
        </>
      )}
    </Field>
  );
}

const option = ({ value, label }: Choice) => (
  <option key={value} value={value}>
    {label}
  </option>
);

/** A username: that of somebody else, if `autoComplete` does not say otherwise. The browser knows the reader's own. */
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

interface FormProps {
  ref?: RefObject<HTMLFormElement | null>;
  /** Gets the values of the fields, which stay filled in. */
  onSubmit: (fields: FormData) => void;
  /**
   * Why it was refused. Each new failure focuses the first field marked as invalid; without one, the button that sent
   * the form, which was disabled meanwhile.
   */
  failure?: object | null;
  /** What is wrong with which fields, by their names. */
  errors?: Record<string, string>;
  /** The last message is about all fields, wherever it stands. */
  isAboutAll?: boolean;
  /**
   * Called when a person changes what the last message is about: with the name of the invalid field; without one, on
   * any field.
   */
  onEdit?: (field?: string) => void;
  className?: string;
  children: ReactNode;
}

const INVALID = "[aria-invalid=true]";

/**
 * A form that the page's script sends, not the browser. One submitted before the script has loaded waits for it
 * (components/before-load.tsx). Without JavaScript the browser sends it, in a body and never in the address, and
 * the service says what is missing (server/gate.ts). React would leave out the method if `action` were a function.
 */
export function Form({ ref, onSubmit, failure, errors = {}, isAboutAll, onEdit, className, children }: FormProps) {
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  useEffect(() => {
    if (!failure) return;
    const invalid = form.current?.querySelector<HTMLElement>(INVALID);
    if (invalid) return invalid.focus();
    if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>("button[type=submit]")?.focus();
  }, [failure, form]);

  function edit({ target }: FormEvent) {
    const field = target as HTMLInputElement;
    if (isAboutAll || !form.current?.querySelector(INVALID)) onEdit?.();
    else if (field.matches(INVALID)) onEdit?.(field.name);
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const { submitter } = event.nativeEvent;
    if (submitter instanceof HTMLButtonElement && submitter.name) fields.append(submitter.name, submitter.value);
    onSubmit(fields);
  }

  return (
    <form ref={form} method="post" onSubmit={submit} onChange={onEdit && edit} className={className}>
      <FieldErrors value={errors}>{children}</FieldErrors>
    </form>
  );
}

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
