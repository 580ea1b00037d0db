import { askServer } from "./ask-server";

/** The parent folders of uploaded files, each requested once and created if missing. */
export class OpenedFolders {
  private readonly known = new Map<string, Promise<string>>();

  /** The id of the folder with these names below `target`, outermost first. Throws a RefusedByServer. */
  idOf(target: string, folders: string[]): Promise<string> {
    const name = folders.at(-1);
    if (name === undefined) return Promise.resolve(target);
    const key = JSON.stringify([target, folders]);
    const id = this.known.get(key) ?? this.open(target, folders.slice(0, -1), name);
    this.known.set(key, id);
    id.catch(() => this.known.delete(key));
    return id;
  }

  /** Call this before requesting folders again that were deleted meanwhile. */
  forget(): void {
    this.known.clear();
  }

  private async open(target: string, around: string[], name: string): Promise<string> {
    const folder = await this.idOf(target, around);
    return (await askServer<{ id: string }>("POST", "/files/folders", { query: { folder, name } })).id;
  }
}
