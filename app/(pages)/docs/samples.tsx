import { routes } from "@/app/(api)/routes";
import { ColoredCode } from "@/components/code";
import { CommandLine, CopyButton } from "@/components/copy-button";
import { LANGUAGES, type Language, type Samples, type SampleVariables, samplesOf } from "@/lib/api/samples";
import { pageOrigin } from "../visitor";
import { type ExampleName, exampleFor, languageOf } from "./example-files";
import { SampleTabs } from "./sample-tabs";
import styles from "./samples.module.css";

/** A command in the language that the samples of the page are shown in; without a script, in all three. */
export function CommandTabs({ commands }: { commands: Samples }) {
  return (
    <div className={styles.commands}>
      {LANGUAGES.map(({ id }) => (
        <div key={id} className={`${styles.command} ${styles[id]}`}>
          <CommandLine command={commands[id]} />
        </div>
      ))}
    </div>
  );
}

/** A program from examples/, to copy or download. */
export async function Example({ name }: { name: ExampleName }) {
  const text = exampleFor(name, await pageOrigin());
  return (
    <div className={styles.samples}>
      <div className={styles.head}>
        <a href={`/docs/examples/${name}`} download>
          Download {name}
        </a>
        <CopyButton text={text} />
      </div>
      <ColoredCode text={text} language={languageOf(name)} />
    </div>
  );
}

/** The same program in three languages. */
export async function ExampleTabs({ files }: { files: Record<Language, ExampleName> }) {
  const origin = await pageOrigin();
  const samples = {
    curl: exampleFor(files.curl, origin),
    javascript: exampleFor(files.javascript, origin),
    python: exampleFor(files.python, origin),
  };
  return <SampleTabs shown={shownOf(samples)} files={files} />;
}

interface RouteSamplesProps {
  path: keyof typeof routes;
  variables?: SampleVariables;
}

/** The sample of one route, as the reference shows it but for what it reads from variables. */
export async function RouteSamples({ path, variables }: RouteSamplesProps) {
  const declaration = routes[path]?.GET.declaration;
  if (!declaration) throw new Error(`There is no route ${path}.`);
  return <SampleTabs shown={shownOf(samplesOf(declaration, await pageOrigin(), { variables }))} />;
}

/** Samples with their colours, for SampleTabs. */
export function shownOf({ curl, javascript, python }: Samples) {
  return {
    curl: <ColoredCode text={curl} language="bash" />,
    javascript: <ColoredCode text={javascript} language="javascript" />,
    python: <ColoredCode text={python} language="python" />,
  };
}
