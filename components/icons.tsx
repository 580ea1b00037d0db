import type { JSX } from "react";

interface IconProps {
  /** Width and height, in pixels. */
  size?: number;
  /** Width of the lines, in the units of a square of 24. */
  stroke?: number;
  className?: string;
}

/** A picture beside words, which say the same: readers of screens are not told of it. */
export type Icon = (props: IconProps) => JSX.Element;

/** A path on a square of 24, in lines. */
export function Drawing({
  size = 24,
  stroke = 2,
  className,
  d,
  fill = "none",
}: IconProps & { d: string; fill?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={fill}
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden
    >
      <path d={d} />
    </svg>
  );
}

const LENS = "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.3 15.3 20.5 20.5";
const EYE =
  "M2.5 12C5 7.5 8.2 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.7 6.5-9.5 6.5S5 16.5 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z";

export const IconArrowDown: Icon = (props) => <Drawing {...props} d="M12 4v16M6 14l6 6 6-6" />;
export const IconArrowUp: Icon = (props) => <Drawing {...props} d="M12 20V4M6 10l6-6 6 6" />;
export const IconBraces: Icon = (props) => (
  <Drawing
    {...props}
    d="M8.5 4C6.5 4 6 5 6 6.5v3C6 11 5.3 12 4 12c1.3 0 2 1 2 2.5v3C6 19 6.5 20 8.5 20M15.5 4c2 0 2.5 1 2.5 2.5v3c0 1.5.7 2.5 2 2.5-1.3 0-2 1-2 2.5v3c0 1.5-.5 2.5-2.5 2.5"
  />
);
export const IconCheck: Icon = (props) => <Drawing {...props} d="M4.5 12.5 9.5 17.5 19.5 7" />;
export const IconChevronDown: Icon = (props) => <Drawing {...props} d="M6 9.5 12 15.5 18 9.5" />;
export const IconCopy: Icon = (props) => (
  <Drawing
    {...props}
    d="M9 9h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2zM5.5 15A1.5 1.5 0 0 1 4 13.5V6a2 2 0 0 1 2-2h7.5A1.5 1.5 0 0 1 15 5.5"
  />
);
export const IconDownload: Icon = (props) => <Drawing {...props} d="M12 4v11.5M7 11l5 5 5-5M4.5 20h15" />;
export const IconEye: Icon = (props) => <Drawing {...props} d={EYE} />;
export const IconEyeOff: Icon = (props) => <Drawing {...props} d={`${EYE}M4 20 20 4`} />;
export const IconFingerprint: Icon = (props) => (
  <Drawing
    {...props}
    d="M5.5 10a6.8 6.8 0 0 1 13 0M5 14.5c.3 2 .3 3.5-.2 5M8.5 19.5c.7-2.5.5-5 .4-7a3.2 3.2 0 0 1 6.3-.5c.3 3.2.3 5.5-.4 8M12 12.5c.2 3 .1 5.5-.6 8M18.7 13.5c.2 2.3.1 4-.3 5.5"
  />
);
export const IconGauge: Icon = (props) => <Drawing {...props} d="M4.5 18a9 9 0 1 1 15 0zM12 14l4-5" />;
export const IconLifebuoy: Icon = (props) => (
  <Drawing
    {...props}
    d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM5.6 5.6l3.9 3.9M18.4 5.6l-3.9 3.9M5.6 18.4l3.9-3.9M18.4 18.4l-3.9-3.9"
  />
);
export const IconLogout: Icon = (props) => (
  <Drawing {...props} d="M13 4H6.5A1.5 1.5 0 0 0 5 5.5v13A1.5 1.5 0 0 0 6.5 20H13M10 12h11M17.5 8.5 21 12l-3.5 3.5" />
);
export const IconMail: Icon = (props) => (
  <Drawing {...props} d="M5 5.5h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2zM3.5 7l8.5 6 8.5-6" />
);
export const IconMoon: Icon = (props) => <Drawing {...props} d="M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10z" />;
export const IconPencil: Icon = (props) => <Drawing {...props} d="M4 20l1-4L16 5a2.1 2.1 0 0 1 3 3L8 19zM14 7l3 3" />;
export const IconPlus: Icon = (props) => <Drawing {...props} d="M12 5v14M5 12h14" />;
export const IconPrinter: Icon = (props) => (
  <Drawing
    {...props}
    d="M7 9V4h10v5M7 17H5.5A1.5 1.5 0 0 1 4 15.5v-5A1.5 1.5 0 0 1 5.5 9h13a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H17M7 14h10v6H7z"
  />
);
export const IconRefresh: Icon = (props) => (
  <Drawing {...props} d="M19.5 10.5A8 8 0 0 0 5 8M4.5 4.5V8.5h4M4.5 13.5A8 8 0 0 0 19 16M19.5 19.5v-4h-4" />
);
export const IconSearch: Icon = (props) => <Drawing {...props} d={LENS} />;
export const IconSun: Icon = (props) => (
  <Drawing
    {...props}
    d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v1.5M12 20v1.5M2.5 12H4M20 12h1.5M5.3 5.3l1 1M17.7 17.7l1 1M5.3 18.7l1-1M17.7 6.3l1-1"
  />
);
export const IconTrash: Icon = (props) => (
  <Drawing
    {...props}
    d="M4 7h16M9 7V5.5A1.5 1.5 0 0 1 10.5 4h3A1.5 1.5 0 0 1 15 5.5V7M6 7l.8 11.2A2 2 0 0 0 8.8 20h6.4a2 2 0 0 0 2-1.8L18 7M10 11v5M14 11v5"
  />
);
export const IconUser: Icon = (props) => (
  <Drawing {...props} d="M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20a7.5 7.5 0 0 1 15 0" />
);
export const IconX: Icon = (props) => <Drawing {...props} d="M6 6l12 12M18 6 6 18" />;
