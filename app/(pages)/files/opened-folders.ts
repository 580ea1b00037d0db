import { askServer } from "./ask-server";

/** The folders around files that are uploaded, each asked for once and made where there is none. */
export class OpenedFolders {
  private readonly known = new Map<string, Promise<string>>();

  /** The id of the folder that has these names below `target`, outermost first. Throws a Refused. */
  idOf(target: string, folders: string[]): Promise<string> {
    const name = folders.at(-1);
    if (name === undefined) return Promise.resolve(target);
    const key = JSON.stringify([target, folders]);
    const id = this.known.get(key) ?? this.open(target, folders.slice(0, -1), name);
    this.known.set(key, id);
    id.catch(() => this.known.delete(key));
    return id;
  }

  /** To be called before what was deleted meanwhile is asked for again. */
  forget(): void {
    this.known.clear();
  }

  private async open(target: string, around: string[], name: string): Promise<string> {
    const folder = await this.idOf(target, around);
    return (await askServer<{ id: string }>("POST", "/files/folders", { query: { folder, name } })).id;
  }
}
