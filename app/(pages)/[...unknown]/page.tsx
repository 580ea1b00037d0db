import { notFound } from "next/navigation";

/** An address that nothing else has. Of one that matches no page, Next would not preload the typeface. */
export default function Unknown() {
  notFound();
}
