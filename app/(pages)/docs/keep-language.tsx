import { headers } from "next/headers";
import { LANGUAGES } from "@/lib/api/samples";

/** Before the page is drawn, so that nothing moves: the language of samples that the reader selected last time. */
const RECALL = `try {
  const kept = localStorage.getItem("samples");
  if (${JSON.stringify(LANGUAGES.map(({ id }) => id))}.includes(kept)) document.documentElement.dataset.samples = kept;
} catch {}`;

/** Belongs before the first sample. */
export async function KeepLanguage() {
  const nonce = (await headers()).get("x-nonce") ?? "";
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {RECALL}
    </script>
  );
}
