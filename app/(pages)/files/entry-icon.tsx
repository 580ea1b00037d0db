import { useState } from "react";
import { type Icon, IconBraces } from "@/components/icons";
import styles from "./entry-list.module.css";
import {
  IconFile,
  IconFileMusic,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconFolderFilled,
  IconMovie,
  IconPhoto,
} from "./icons";

const KINDS: { icon: Icon; kind: string; types: RegExp }[] = [
  { icon: IconPhoto, kind: "Picture", types: /^\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg|tiff?|heic)$/ },
  { icon: IconBraces, kind: "Data", types: /^\.(?:json|csv|xml|ya?ml|toml|ini)$/ },
  { icon: IconFileText, kind: "Text", types: /^\.(?:txt|md|log|html?|css|[jt]sx?|py|sh|rtf|docx?|odt)$/ },
  { icon: IconFileTypePdf, kind: "PDF", types: /^\.pdf$/ },
  { icon: IconFileMusic, kind: "Audio", types: /^\.(?:mp3|ogg|wav|flac|m4a|opus|aac)$/ },
  { icon: IconMovie, kind: "Video", types: /^\.(?:mp4|webm|mov|mkv|avi)$/ },
  { icon: IconFileZip, kind: "Archive", types: /^\.(?:zip|gz|tar|tgz|7z|rar|bz2|xz|zst)$/ },
];

/** Pictures that browsers show as they are (files/content); not SVG, which is a document. */
const THUMBNAILS = /^\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i;
/** Larger ones would cost more than they tell: each is loaded as it is. */
const MAX_THUMBNAIL_BYTES = 250_000;

/** The address of a picture that may be shown small. */
export function thumbnailOf({ id, type, size }: { id: string; type: string; size: number }): string | undefined {
  return THUMBNAILS.test(type) && size <= MAX_THUMBNAIL_BYTES ? `/files/content?id=${id}` : undefined;
}

interface EntryIconProps {
  type: string;
  isFolder: boolean;
  /** The address of the picture that it is. */
  thumbnail?: string;
}

/** An icon for an entry, by its type; or its picture, small, loaded once it comes into view. */
export function EntryIcon({ type, isFolder, thumbnail }: EntryIconProps) {
  const [isBroken, setBroken] = useState(false);
  if (thumbnail && !isBroken)
    return (
      // biome-ignore lint/performance/noImgElement: a user's own file, served by us as it is
      <img
        src={thumbnail}
        alt=""
        loading="lazy"
        className={styles.thumbnail}
        // It may have failed before hydration.
        ref={(picture) => {
          if (picture?.complete && picture.naturalWidth === 0) setBroken(true);
        }}
        onError={() => setBroken(true)}
      />
    );
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
