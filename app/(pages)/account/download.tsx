import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { Actions } from "@/components/panel";
import styles from "./page.module.css";

/** The way to the archive of all that is kept for the user. */
export function Download() {
  return (
    <>
      <p className={styles.soft}>
        One archive with your account, every key that you hold with its data, and your files. It holds secrets: keep it as you keep them. The files in it can be
        imported again.
      </p>
      <Actions>
        <Button component="a" href="/account/archive" download size="sm" variant="default" leftSection={<IconDownload size={16} />}>
          Download everything
        </Button>
      </Actions>
    </>
  );
}
