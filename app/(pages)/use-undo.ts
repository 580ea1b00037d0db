import { useToast } from "@/components/feedback/toast";
import { whyFailed } from "@/components/feedback/why-failed";
import type { Outcome } from "./action";

/** Says in a toast what was done, and offers to take it back, whatever is shown then; `undone` says that it was. */
export function useUndo() {
  const toast = useToast();
  return (text: string, takeBack: () => Promise<Outcome<unknown>>, undone: string) => {
    const undo = async () => {
      const result = await takeBack().catch(async (thrown) => ({ error: await whyFailed(thrown) }));
      toast({ text: "error" in result ? result.error : undone });
    };
    toast({ text, undo });
  };
}
