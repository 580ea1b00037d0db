import { Button } from "@mantine/core";
import { Notice } from "@/components/notice";
import { ErrorNotice } from "../error-notice";
import type { Changes } from "./use-changes";

/** What was done, with the way back from it; or what went wrong, unless a dialog says so already. */
export function ChangeNotice({ changes: { error, done, undo, busy }, isHidden }: { changes: Changes; isHidden: boolean }) {
  const way = undo && (
    <Button size="compact-sm" variant="default" onClick={undo} loading={busy}>
      Undo
    </Button>
  );
  return (
    <>
      <ErrorNotice error={isHidden ? "" : error} />
      <Notice kind="done">
        {done && (
          <>
            {done} {way}
          </>
        )}
      </Notice>
    </>
  );
}
