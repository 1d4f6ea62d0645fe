import { decodeBase64, sniffRaster } from "../../src/shared/rasterImage.ts";
import type { ContentBlockView } from "../../src/shared/toolRunMessages.ts";
import { el, fill } from "../dom.ts";
import { formatBytes, t } from "../l10n.ts";
import { notice } from "../notice.ts";

type MediaBlock = Extract<ContentBlockView, { readonly type: "image" | "audio" }>;

const AUDIO_TYPE = /^audio\/[a-z0-9.+-]+$/i;

/** The object URLs of one result. They hold their bytes until they are released. */
export class ObjectUrls {
  readonly #urls: string[] = [];

  make(bytes: Uint8Array<ArrayBuffer>, type: string): string {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    this.#urls.push(url);
    return url;
  }

  release(): void {
    for (const url of this.#urls.splice(0)) URL.revokeObjectURL(url);
  }
}

/** An image, when its bytes are those of a raster type that is the one it claims; else a note. */
export function drawImage(block: MediaBlock, urls: ObjectUrls): HTMLElement {
  const bytes = decodeBase64(block.data);
  if (bytes === undefined)
    return note(t("An image ({type}) whose data is not valid Base64.", { type: block.mimeType }));
  const size = formatBytes(bytes.length);
  const actual = sniffRaster(bytes);
  if (actual === undefined) {
    return note(
      t("An image of type {type} ({size}). Only PNG, JPEG, GIF and WebP images are drawn.", {
        type: block.mimeType,
        size,
      }),
    );
  }
  const claimed = block.mimeType.trim().toLowerCase().replace("image/jpg", "image/jpeg");
  if (claimed !== actual) {
    return note(
      t("An image that says it is {type} but is {actual} ({size}). It is not drawn.", {
        type: block.mimeType,
        actual,
        size,
      }),
    );
  }
  const image = el("img", {
    class: "block-image",
    attributes: { alt: t("Image in the result ({type}, {size})", { type: actual, size }) },
  });
  const figure = el("div", { class: "block" }, image);
  image.addEventListener("error", () => {
    fill(figure, note(t("An image of type {type} ({size}) that cannot be drawn.", { type: actual, size })));
  });
  image.src = urls.make(bytes, actual);
  return figure;
}

/** A sound with the browser's controls. */
export function drawAudio(block: MediaBlock, urls: ObjectUrls): HTMLElement {
  const bytes = decodeBase64(block.data);
  if (bytes === undefined || !AUDIO_TYPE.test(block.mimeType)) {
    return note(t("A sound ({type}) that cannot be played.", { type: block.mimeType }));
  }
  const size = formatBytes(bytes.length);
  const audio = el("audio", {
    attributes: { controls: "", preload: "metadata", "aria-label": t("Sound in the result") },
  });
  const figure = el(
    "div",
    { class: "block" },
    audio,
    el("div", { class: "field-hint", text: `${block.mimeType} · ${size}` }),
  );
  audio.addEventListener("error", () => {
    fill(figure, note(t("A sound ({type}) that cannot be played.", { type: block.mimeType })));
  });
  audio.src = urls.make(bytes, block.mimeType);
  return figure;
}

function note(text: string): HTMLElement {
  return el("div", { class: "block" }, notice("info", text));
}
