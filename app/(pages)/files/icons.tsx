import { useState } from "react";
import { Drawing, type Icon, IconBraces } from "@/components/icons";
import styles from "./entry-list.module.css";

// Of files only: no other page loads them.

const FOLDER = "M3 18V6.5A1.5 1.5 0 0 1 4.5 5H9l2.5 2.5h8A1.5 1.5 0 0 1 21 9v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z";
const PAGE = "M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zv5h5";

export const IconChevronLeft: Icon = (props) => <Drawing {...props} d="M14.5 6 8.5 12 14.5 18" />;
export const IconChevronRight: Icon = (props) => <Drawing {...props} d="M9.5 6 15.5 12 9.5 18" />;
export const IconChevronUp: Icon = (props) => <Drawing {...props} d="M6 14.5 12 8.5 18 14.5" />;
export const IconDots: Icon = (props) => <Drawing {...props} d="M5 12h.01M12 12h.01M19 12h.01" />;
export const IconExternalLink: Icon = (props) => (
  <Drawing {...props} d="M10 5H6a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-4M14 4h6v6M19.5 4.5 11 13" />
);
const IconFile: Icon = (props) => <Drawing {...props} d={PAGE} />;
const IconFileMusic: Icon = (props) => (
  <Drawing {...props} d={`${PAGE}M11.5 16.5v-5l3 1M10 15a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z`} />
);
export const IconFileText: Icon = (props) => <Drawing {...props} d={`${PAGE}M8.5 12h7M8.5 16h7`} />;
const IconFileTypePdf: Icon = (props) => (
  <Drawing
    {...props}
    d={`${PAGE}M7.5 17v-4.5h.9a1.3 1.3 0 0 1 0 2.6h-.9M11 12.5V17h.4a1.5 1.5 0 0 0 1.5-1.5V14a1.5 1.5 0 0 0-1.5-1.5zM15 17v-4.5h2M15 14.8h1.5`}
  />
);
const IconFileZip: Icon = (props) => (
  <Drawing {...props} d={`${PAGE}M10 4v1M11.5 6.5v1M10 9v1M11.5 11.5v1M9.5 15h3v3h-3z`} />
);
export const IconFolderFilled: Icon = (props) => <Drawing {...props} d={FOLDER} fill="currentColor" />;
export const IconFolderOpen: Icon = (props) => (
  <Drawing
    {...props}
    d="M5 20h12.5a2 2 0 0 0 1.9-1.4L21.5 12H7.2a2 2 0 0 0-1.9 1.3L3 19V6.5A1.5 1.5 0 0 1 4.5 5H9l2.5 2.5h6A1.5 1.5 0 0 1 19 9v3"
  />
);
export const IconFolderPlus: Icon = (props) => <Drawing {...props} d={`${FOLDER}M12 11v6M9 14h6`} />;
export const IconFolderSymlink: Icon = (props) => <Drawing {...props} d={`${FOLDER}M8.5 14h6.5M12.5 11l3 3-3 3`} />;
export const IconFolderUp: Icon = (props) => <Drawing {...props} d={`${FOLDER}M12 17.5V11M9 14l3-3 3 3`} />;
export const IconKeyboard: Icon = (props) => (
  <Drawing
    {...props}
    d="M4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5v-9A1.5 1.5 0 0 1 4.5 6zM7 10h.01M10.5 10h.01M14 10h.01M17 10h.01M8.5 14h7"
  />
);
const IconMovie: Icon = (props) => (
  <Drawing
    {...props}
    d="M5.5 4h13A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4zM8 4v16M16 4v16M4 8h4M4 16h4M16 8h4M16 16h4M8 12h8"
  />
);
const IconPhoto: Icon = (props) => (
  <Drawing
    {...props}
    d="M5.5 4h13A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4zM4 16l4.5-4.5 5.5 6M12.5 15.5 15 13l5 4.5M15.5 8.5h.01"
  />
);
export const IconUpload: Icon = (props) => <Drawing {...props} d="M12 16V4.5M7 9l5-5 5 5M4.5 20h15" />;

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

const kindWith = (type: string) => KINDS.find(({ types }) => types.test(type.toLowerCase()));

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
  const Icon = kindWith(type)?.icon ?? IconFile;
  return <Icon size={22} stroke={1.5} className={styles.file} />;
}

/** The kind of an entry, in a word or two. */
export function kindOf(type: string, isFolder: boolean): string {
  if (isFolder) return "Folder";
  const extension = type.slice(1, 9).toUpperCase();
  const kind = kindWith(type)?.kind ?? "File";
  return extension && kind !== extension ? `${extension} · ${kind.toLowerCase()}` : kind;
}
