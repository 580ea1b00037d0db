import styles from "./choices.module.css";

interface Choice {
  value: string;
  label: string;
  description?: string;
}

interface ChoicesProps {
  /** The name of the form's field. */
  name: string;
  legend: string;
  choices: Choice[];
  /** The value that is selected at first. */
  initial: string;
  /** Side by side: for short labels without descriptions. */
  inline?: boolean;
}

/** A field of a form with a few choices, one of which is selected. It works before the page's script has loaded. */
export function Choices({ name, legend, choices, initial, inline = false }: ChoicesProps) {
  return (
    <fieldset className={styles.field}>
      <legend>{legend}</legend>
      <div className={inline ? styles.inline : styles.list}>
        {choices.map(({ value, label, description }) => (
          <label key={value} className={styles.choice}>
            <input type="radio" name={name} value={value} defaultChecked={value === initial} />
            <span>
              <span>{label}</span>
              {description && <small>{description}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
