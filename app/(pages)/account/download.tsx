import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { Actions } from "@/components/panel";
import styles from "./page.module.css";

/** The link to the archive of all of the user's data. */
export function Download() {
  return (
    <>
      <p className={styles.soft}>
        One archive with your account, every key you hold and its data, and your files. It contains secrets, so store it
        safely. You can import the files again.
      </p>
      <Actions>
        <Button
          component="a"
          href="/account/archive"
          download
          size="sm"
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          Download everything
        </Button>
      </Actions>
    </>
  );
}
