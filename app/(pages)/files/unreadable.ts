/** The browser cannot read a selected file. The message is for a person. */
export class Unreadable extends Error {
  override name = "Unreadable";
  override message =
    "This file was changed or removed on this device since you chose it, or can no longer be read. Choose it again.";
}

/** The bytes of a selected file, or of a part. Throws an Unreadable. */
export async function bytesOnDevice(file: Blob): Promise<ArrayBuffer> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Unreadable();
  });
  if (bytes.byteLength !== file.size) throw new Unreadable();
  return bytes;
}
