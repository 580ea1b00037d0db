import {
  type Icon,
  IconBraces,
  IconFile,
  IconFileMusic,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconFolderFilled,
  IconMovie,
  IconPhoto,
} from "@/components/icons";
import styles from "./entry-icon.module.css";

const KINDS: { icon: Icon; kind: string; types: RegExp }[] = [
  { icon: IconPhoto, kind: "Picture", types: /^\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg|tiff?|heic)$/ },
  { icon: IconBraces, kind: "Data", types: /^\.(?:json|csv|xml|ya?ml|toml|ini)$/ },
  { icon: IconFileText, kind: "Text", types: /^\.(?:txt|md|log|html?|css|[jt]sx?|py|sh|rtf|docx?|odt)$/ },
  { icon: IconFileTypePdf, kind: "PDF", types: /^\.pdf$/ },
  { icon: IconFileMusic, kind: "Sound", types: /^\.(?:mp3|ogg|wav|flac|m4a|opus|aac)$/ },
  { icon: IconMovie, kind: "Film", types: /^\.(?:mp4|webm|mov|mkv|avi)$/ },
  { icon: IconFileZip, kind: "Archive", types: /^\.(?:zip|gz|tar|tgz|7z|rar|bz2|xz|zst)$/ },
];

/** An icon for an entry, by its type. */
export function EntryIcon({ type, isFolder }: { type: string; isFolder: boolean }) {
  if (isFolder) return <IconFolderFilled size={22} className={styles.folder} />;
  const Icon = KINDS.find(({ types }) => types.test(type.toLowerCase()))?.icon ?? IconFile;
  return <Icon size={22} stroke={1.5} className={styles.file} />;
}

/** The kind of an entry, in a word or two. */
export function kindOf(type: string, isFolder: boolean): string {
  if (isFolder) return "Folder";
  const extension = type.slice(1, 9).toUpperCase();
  const kind = KINDS.find(({ types }) => types.test(type.toLowerCase()))?.kind ?? "File";
  return extension && kind !== extension ? `${extension} · ${kind.toLowerCase()}` : kind;
}
