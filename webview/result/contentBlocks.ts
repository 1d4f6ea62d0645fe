import { assertNever } from "../../src/base/assertNever.ts";
import { type JsonValue, parseJson } from "../../src/base/json.ts";
import type { ContentBlockView } from "../../src/shared/toolRunMessages.ts";
import { el, fill } from "../dom.ts";
import { disclosure } from "../foldableText.ts";
import { formatBytes, t } from "../l10n.ts";
import { notice } from "../notice.ts";
import { createButton, createIconButton } from "../toolkit.ts";
import { createJsonTree } from "./jsonTree.ts";
import { drawAudio, drawImage, type ObjectUrls } from "./mediaBlocks.ts";

/** What the blocks of a result may ask for, each after a click. */
export interface ResultActions {
  readonly copy: (text: string) => void;
  readonly openInEditor: (text: string, language: "json" | "plaintext" | "markdown") => void;
  readonly openLink: (uri: string) => void;
  readonly readResource: (uri: string) => void;
}

type BlockOf<Type extends ContentBlockView["type"]> = Extract<ContentBlockView, { readonly type: Type }>;

const MAX_SHOWN_TEXT = 200_000;
const MAX_TREE_TEXT = 5_000_000;

/** Draws one block of a result. What a server sends is text and data here, never markup. */
export function drawBlock(block: ContentBlockView, actions: ResultActions, urls: ObjectUrls): HTMLElement {
  switch (block.type) {
    case "text":
      return drawText(block.text, actions, "plaintext");
    case "image":
      return drawImage(block, urls);
    case "audio":
      return drawAudio(block, urls);
    case "link":
      return drawLink(block, actions);
    case "resource":
      return drawResource(block, actions);
    case "unknown":
      return el(
        "div",
        { class: "block" },
        notice("info", t("A block of the unknown type “{type}”.", { type: block.name })),
        disclosure(t("Show its JSON"), () => createJsonTree(block.raw, block.name, actions.copy)),
      );
    default:
      return assertNever(block);
  }
}

function drawText(text: string, actions: ResultActions, language: "plaintext" | "markdown"): HTMLElement {
  const json = readJson(text);
  const place = el("div", {}, plainText(text));
  const tools: HTMLElement[] = [];
  if (json !== undefined) {
    const toggle = el("button", {
      class: "text-button",
      text: t("Show as tree"),
      attributes: { type: "button" },
    });
    let tree = false;
    toggle.addEventListener("click", () => {
      tree = !tree;
      toggle.textContent = tree ? t("Show as text") : t("Show as tree");
      fill(place, tree ? createJsonTree(json, t("Text as JSON"), actions.copy) : plainText(text));
    });
    tools.push(toggle);
  }
  tools.push(...textTools(() => text, json === undefined ? language : "json", actions));
  return el(
    "div",
    { class: "block" },
    blockHead(el("span", { class: "hint", text: t("Text") }), ...tools),
    place,
  );
}

function plainText(text: string): HTMLElement {
  const cut = text.length > MAX_SHOWN_TEXT;
  const shown = cut ? text.slice(0, MAX_SHOWN_TEXT) : text;
  return el(
    "div",
    {},
    el("pre", { class: "block-text", text: shown, attributes: { dir: "auto", tabindex: "0" } }),
    cut
      ? notice("info", t("Only the first part is shown. Open it in an editor to see all of it."))
      : undefined,
  );
}

/** The line above a block: what it is, and what can be done with it. */
export function blockHead(title: HTMLElement, ...tools: readonly HTMLElement[]): HTMLElement {
  return el("div", { class: "block-head" }, title, el("span", { class: "block-head-tools" }, ...tools));
}

/** Buttons that copy a text and open it in an editor. The text is only made when it is needed. */
export function textTools(
  text: () => string,
  language: "json" | "plaintext" | "markdown",
  actions: ResultActions,
): HTMLElement[] {
  return [
    createIconButton("copy", t("Copy"), () => {
      actions.copy(text());
    }),
    createIconButton("open", t("Open in Editor"), () => {
      actions.openInEditor(text(), language);
    }),
  ];
}

/** The value of a text that is a JSON object or array. */
function readJson(text: string): JsonValue | undefined {
  if (text.length > MAX_TREE_TEXT || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function drawLink(block: BlockOf<"link">, actions: ResultActions): HTMLElement {
  return el(
    "div",
    { class: "block block-card" },
    el("div", { class: "card-title", text: block.name, attributes: { dir: "auto" } }),
    el("code", { class: "uri", text: block.uri }),
    block.description === undefined
      ? undefined
      : el("div", { class: "server-text", text: block.description, attributes: { dir: "auto" } }),
    block.mimeType === undefined ? undefined : el("div", { class: "field-hint", text: block.mimeType }),
    el(
      "div",
      { class: "block-tools" },
      // Only the web can be opened outside; other schemes are names that the server understands.
      /^https?:/i.test(block.uri)
        ? createButton({
            label: t("Open…"),
            name: t("Open {uri}", { uri: block.uri }),
            icon: "open",
            onClick: () => {
              actions.openLink(block.uri);
            },
          })
        : createButton({
            label: t("Read Resource"),
            name: t("Read the resource {uri}", { uri: block.uri }),
            icon: "open",
            onClick: () => {
              actions.readResource(block.uri);
            },
          }),
      createButton({
        label: t("Copy Address"),
        icon: "copy",
        onClick: () => {
          actions.copy(block.uri);
        },
      }),
    ),
  );
}

function drawResource(block: BlockOf<"resource">, actions: ResultActions): HTMLElement {
  const facts = [
    block.mimeType,
    block.blobBytes === undefined ? undefined : formatBytes(block.blobBytes),
  ].filter((fact) => fact !== undefined);
  const { text } = block;
  return el(
    "div",
    { class: "block block-card" },
    el("div", { class: "card-title", text: t("Embedded resource") }),
    el("code", { class: "uri", text: block.uri }),
    facts.length === 0 ? undefined : el("div", { class: "field-hint", text: facts.join(" · ") }),
    text === undefined
      ? el("div", { class: "field-hint", text: t("Binary data; not shown.") })
      : drawText(text, actions, block.mimeType === "text/markdown" ? "markdown" : "plaintext"),
  );
}
