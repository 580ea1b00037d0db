import { Button } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { Actions } from "@/components/page";
import styles from "./shortcuts-dialog.module.css";

const SHORTCUTS: { where: string; keys: [keys: string[], does: string][] }[] = [
  {
    where: "On this page",
    keys: [
      [["/"], "Filter by name"],
      [["?"], "Show these shortcuts"],
    ],
  },
  {
    where: "In the list",
    keys: [
      [["↑", "↓", "Page Up", "Page Down", "Home", "End"], "Select another row"],
      [["Shift"], "With these: select all rows on the way"],
      [["Ctrl", "⌘"], "With these: move without selecting"],
      [["Space"], "Select or clear a row"],
      [["Ctrl A", "⌘ A"], "Select all on this page"],
      [["Esc"], "Clear the selection"],
      [["Enter"], "Open"],
      [["F2"], "Rename"],
      [["Delete", "⌘ ⌫"], "Delete"],
      [["Shift F10", "Menu"], "Show more actions"],
    ],
  },
  { where: "In a preview", keys: [[["←", "→"], "Previous or next file"]] },
];

/** What the keyboard does on the page of files. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      {SHORTCUTS.map(({ where, keys }) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl className={styles.shortcuts}>
            {keys.map(([pressed, does]) => (
              <div key={does}>
                <dt>
                  {pressed.map((key) => (
                    <kbd key={key} translate="no">
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Actions>
        <Button onClick={onClose}>Close</Button>
      </Actions>
    </Dialog>
  );
}
