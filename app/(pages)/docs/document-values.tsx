import styles from "./page.module.css";

const VALUES = [
  ["1", "type: .txt, .png …, or .folder"],
  ["2", "name, without the type"],
  ["3", "location: origin/(c) users/alice/docs"],
  ["4", "data: plain text, or a data: URL for anything else; for a folder, the ids of its entries"],
  ["5, 8", "unused"],
  ["6, 7", "x and y position on a desktop"],
  ["9, 10", "created and modified, in Unix milliseconds"],
  ["11", "icon"],
  ["12", "size: length of the data, or the number of entries in the folder"],
  ["13", "permissions: usernames"],
  ["14", "id: 32 lowercase hex digits"],
];

/** What the fourteen values of an entry in a document are. */
export function DocumentValues() {
  return (
    <div className={styles.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {VALUES.map(([number, meaning]) => (
            <tr key={number}>
              <td>{number}</td>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
