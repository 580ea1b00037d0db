import { CopyButton } from "@/components/copy-button";
import type { Language } from "@/lib/api/samples";
import { type ExampleName, exampleFor } from "./example-files";
import { SampleTabs } from "./sample-tabs";
import styles from "./samples.module.css";

/** A program from examples/, to copy or download. */
export function Example({ name, origin }: { name: ExampleName; origin: string }) {
  const text = exampleFor(name, origin);
  return (
    <div className={styles.samples}>
      <div className={styles.head}>
        <a href={`/docs/examples/${name}`} download>
          Download {name}
        </a>
        <CopyButton text={text} />
      </div>
      <pre translate="no" className={styles.code}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** The same program in three languages. */
export function ExampleTabs({ files, origin }: { files: Record<Language, ExampleName>; origin: string }) {
  const samples = {
    curl: exampleFor(files.curl, origin),
    javascript: exampleFor(files.javascript, origin),
    python: exampleFor(files.python, origin),
  };
  return <SampleTabs samples={samples} files={files} />;
}
