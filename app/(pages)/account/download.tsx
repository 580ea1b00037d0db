"use client";

import { LinkButton } from "@/components/controls/button";
import { IconDownload } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import { ErrorNotice } from "../error-notice";
import { useProvenDownload } from "../use-proven-download";
import styles from "./page.module.css";

/** The link to the archive of all of the user's data. The user may have to confirm who they are first. */
export function Download() {
  const { confirmFirst, error } = useProvenDownload();
  return (
    <>
      <p className={styles.soft}>
        One archive of your account, keys and files. It contains secrets, so store it safely.
      </p>
      <ErrorNotice error={error} />
      <Actions>
        <LinkButton
          href="/account/archive"
          download
          onClick={confirmFirst}
          size="sm"
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          Download everything
        </LinkButton>
      </Actions>
    </>
  );
}
