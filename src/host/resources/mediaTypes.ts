/** What the editor makes of a media type. */
interface KnownType {
  /** The usual end of a file name, without the dot. */
  readonly extension: string;
  /** The editor's name of the language; undefined for what is not text. */
  readonly language?: string;
  /** A codicon. */
  readonly icon: string;
}

const KNOWN: Readonly<Record<string, KnownType>> = {
  "application/json": { extension: "json", language: "json", icon: "json" },
  "application/xml": { extension: "xml", language: "xml", icon: "file-code" },
  "application/yaml": { extension: "yaml", language: "yaml", icon: "file-code" },
  "application/javascript": { extension: "js", language: "javascript", icon: "file-code" },
  "application/typescript": { extension: "ts", language: "typescript", icon: "file-code" },
  "application/sql": { extension: "sql", language: "sql", icon: "file-code" },
  "application/pdf": { extension: "pdf", icon: "file-pdf" },
  "application/zip": { extension: "zip", icon: "file-zip" },
  "application/gzip": { extension: "gz", icon: "file-zip" },
  "application/octet-stream": { extension: "bin", icon: "file-binary" },
  "audio/mpeg": { extension: "mp3", icon: "file-media" },
  "audio/ogg": { extension: "ogg", icon: "file-media" },
  "audio/wav": { extension: "wav", icon: "file-media" },
  "image/bmp": { extension: "bmp", icon: "file-media" },
  "image/gif": { extension: "gif", icon: "file-media" },
  "image/jpeg": { extension: "jpg", icon: "file-media" },
  "image/png": { extension: "png", icon: "file-media" },
  "image/svg+xml": { extension: "svg", language: "xml", icon: "file-media" },
  "image/webp": { extension: "webp", icon: "file-media" },
  "inode/directory": { extension: "txt", language: "plaintext", icon: "folder" },
  "text/css": { extension: "css", language: "css", icon: "file-code" },
  "text/csv": { extension: "csv", language: "plaintext", icon: "file" },
  "text/html": { extension: "html", language: "html", icon: "file-code" },
  "text/javascript": { extension: "js", language: "javascript", icon: "file-code" },
  "text/markdown": { extension: "md", language: "markdown", icon: "markdown" },
  "text/plain": { extension: "txt", language: "plaintext", icon: "file" },
  "text/x-python": { extension: "py", language: "python", icon: "file-code" },
  "text/xml": { extension: "xml", language: "xml", icon: "file-code" },
  "text/yaml": { extension: "yaml", language: "yaml", icon: "file-code" },
  "video/mp4": { extension: "mp4", icon: "file-media" },
  "video/webm": { extension: "webm", icon: "file-media" },
};

/** Types that the editor has a viewer of its own for, as ends of file names. */
const VIEWABLE: ReadonlySet<string> = new Set(
  "bmp gif jpg jpeg png webp ico mp3 ogg wav mp4 webm".split(" "),
);

/** A media type without its parameters, in lower case. */
function baseType(mimeType: string): string {
  return (mimeType.split(";")[0] ?? "").trim().toLowerCase();
}

function lookUp(mimeType: string | undefined): KnownType | undefined {
  if (mimeType === undefined) return undefined;
  const type = baseType(mimeType);
  if (Object.hasOwn(KNOWN, type)) return KNOWN[type];
  if (type.endsWith("+json")) return KNOWN["application/json"];
  if (type.endsWith("+xml")) return KNOWN["application/xml"];
  if (type.endsWith("+yaml")) return KNOWN["application/yaml"];
  return undefined;
}

/** The codicon for a resource of a type that the server claims. */
export function iconOfType(mimeType: string | undefined): string {
  const known = lookUp(mimeType);
  if (known !== undefined) return known.icon;
  return /^(image|audio|video)\//i.test(mimeType ?? "") ? "file-media" : "file";
}

/** The usual end of a file's name, without the dot; undefined when the type says nothing. */
export function extensionOfType(mimeType: string | undefined): string | undefined {
  return lookUp(mimeType)?.extension;
}

/** The editor's name of the language of a text; undefined when the type says nothing. */
export function languageOfType(mimeType: string | undefined): string | undefined {
  return lookUp(mimeType)?.language;
}

/** Whether bytes of this type are text although they came in Base64. */
export function isTextType(mimeType: string | undefined): boolean {
  return lookUp(mimeType)?.language !== undefined || /^text\//i.test(mimeType ?? "");
}

/** Whether the editor shows a file of this name with a viewer of its own. */
export function hasViewer(fileName: string): boolean {
  return VIEWABLE.has(fileName.slice(fileName.lastIndexOf(".") + 1).toLowerCase());
}
