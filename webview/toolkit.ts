import {
  type Button,
  type Checkbox,
  type Dropdown,
  type PanelTab,
  type Panels,
  type PanelView,
  provideVSCodeDesignSystem,
  type Radio,
  type RadioGroup,
  type TextArea,
  type TextField,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDivider,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
  vsCodeRadio,
  vsCodeRadioGroup,
  vsCodeTextArea,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";
import { el } from "./dom.ts";
import { icon, type IconName } from "./icons.ts";

declare global {
  interface HTMLElementTagNameMap {
    "vscode-button": Button;
    "vscode-checkbox": Checkbox;
    "vscode-divider": HTMLElement;
    "vscode-dropdown": Dropdown;
    "vscode-option": HTMLElement;
    "vscode-panels": Panels;
    "vscode-panel-tab": PanelTab;
    "vscode-panel-view": PanelView;
    "vscode-progress-ring": HTMLElement;
    "vscode-radio": Radio;
    "vscode-radio-group": RadioGroup;
    "vscode-text-area": TextArea;
    "vscode-text-field": TextField;
  }
}

/**
 * Registers the components that the pages use, and no others. The toolkit's tags and badges are left out on purpose:
 * they set style attributes, which the pages' policy forbids.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDivider(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeProgressRing(),
    vsCodeRadio(),
    vsCodeRadioGroup(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}

export type { Button, Checkbox, Dropdown, RadioGroup, TextArea, TextField };

export interface ButtonParts {
  readonly label: string;
  /** What a screen reader says instead, when the label alone is not clear. */
  readonly name?: string;
  readonly appearance?: "primary" | "secondary";
  readonly icon?: IconName;
  readonly onClick: () => void;
}

export function createButton(parts: ButtonParts): Button {
  const button = el("vscode-button", { attributes: { appearance: parts.appearance ?? "secondary" } });
  if (parts.icon !== undefined) {
    const svg = icon(parts.icon);
    svg.setAttribute("slot", "start");
    button.append(svg);
  }
  button.append(parts.label);
  if (parts.name !== undefined) button.setAttribute("aria-label", parts.name);
  button.addEventListener("click", parts.onClick);
  return button;
}

/** A button that shows only an icon; its label is read out and shown as a tooltip. */
export function createIconButton(name: IconName, label: string, onClick: () => void): Button {
  const button = el(
    "vscode-button",
    { title: label, attributes: { appearance: "icon", "aria-label": label } },
    icon(name),
  );
  button.addEventListener("click", onClick);
  return button;
}

export interface TextParts {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly type?: "text" | "email" | "url";
  readonly onInput: (value: string) => void;
}

export function createTextField(parts: TextParts): TextField {
  const field = el("vscode-text-field", { attributes: { spellcheck: "false" } });
  nameControl(field, parts.label);
  if (parts.type !== undefined) field.setAttribute("type", parts.type);
  if (parts.placeholder !== undefined) field.setAttribute("placeholder", parts.placeholder);
  field.value = parts.value;
  field.addEventListener("input", () => {
    parts.onInput(field.value);
  });
  return field;
}

export interface TextAreaParts extends TextParts {
  readonly rows: number;
  readonly monospace?: boolean;
}

export function createTextArea(parts: TextAreaParts): TextArea {
  const area = el("vscode-text-area", {
    class: parts.monospace === true ? "monospace" : "",
    attributes: { rows: String(parts.rows), resize: "vertical", spellcheck: "false" },
  });
  nameControl(area, parts.label);
  if (parts.placeholder !== undefined) area.setAttribute("placeholder", parts.placeholder);
  area.value = parts.value;
  area.addEventListener("input", () => {
    parts.onInput(area.value);
  });
  return area;
}

export interface CheckboxParts {
  /** Shown beside the box; empty when `name` says it. */
  readonly label: string;
  readonly name?: string;
  readonly checked: boolean;
  /** Called for every change, those that the page itself makes included. */
  readonly onChange: (checked: boolean) => void;
}

export function createCheckbox(parts: CheckboxParts): Checkbox {
  const box = el("vscode-checkbox", {}, parts.label === "" ? undefined : parts.label);
  if (parts.name !== undefined) {
    nameControl(box, parts.name);
    box.title = parts.name;
  }
  box.checked = parts.checked;
  box.addEventListener("change", () => {
    parts.onChange(box.checked);
  });
  return box;
}

export interface ChoiceParts {
  readonly label: string;
  readonly options: readonly string[];
  readonly selected: number | undefined;
  readonly onChange: (index: number) => void;
}

/** Options beyond which the browser's own list is used: the toolkit makes an element of each. */
const MAX_DROPDOWN = 100;

export function createDropdown(parts: ChoiceParts): HTMLElement {
  if (parts.options.length > MAX_DROPDOWN) return createSelect(parts);
  const dropdown = el("vscode-dropdown", { attributes: { "aria-label": parts.label } });
  for (const [index, title] of parts.options.entries()) {
    const option = el("vscode-option", { attributes: { value: String(index) } }, title);
    if (index === parts.selected) option.setAttribute("selected", "");
    dropdown.append(option);
  }
  dropdown.addEventListener("change", () => {
    parts.onChange(Number(dropdown.value));
  });
  return dropdown;
}

function createSelect(parts: ChoiceParts): HTMLSelectElement {
  const select = el("select", { class: "native-select", attributes: { "aria-label": parts.label } });
  for (const [index, title] of parts.options.entries()) select.append(new Option(title, String(index)));
  select.selectedIndex = parts.selected ?? -1;
  select.addEventListener("change", () => {
    parts.onChange(select.selectedIndex);
  });
  return select;
}

export function createRadioGroup(parts: ChoiceParts): RadioGroup {
  const group = el("vscode-radio-group", {
    attributes: { orientation: "vertical", "aria-label": parts.label },
  });
  for (const [index, title] of parts.options.entries()) {
    const radio = el("vscode-radio", { attributes: { value: String(index) } }, title);
    if (index === parts.selected) radio.setAttribute("checked", "");
    group.append(radio);
  }
  if (parts.selected !== undefined) group.setAttribute("value", String(parts.selected));
  group.addEventListener("change", () => {
    if (group.value !== "") parts.onChange(Number(group.value));
  });
  return group;
}

/**
 * Gives a control its accessible name. The toolkit puts a name of its own (“Text field”) in its place when the control
 * enters the document, which is before the next microtask.
 */
function nameControl(control: HTMLElement, name: string): void {
  control.setAttribute("aria-label", name);
  queueMicrotask(() => {
    control.setAttribute("aria-label", name);
  });
}

/**
 * Connects a control with the text that explains it and marks it valid or not. Text controls live in a shadow tree,
 * where an id of the document means nothing, so they get the words themselves.
 */
export function describeControl(control: HTMLElement, words: string, invalid: boolean): void {
  // One radio button is never wrong by itself; the choice is.
  (control.closest("vscode-radio-group") ?? control).setAttribute("aria-invalid", String(invalid));
  const inner = innerControl(control);
  (inner ?? control).setAttribute("aria-description", words);
  if (inner !== undefined) inner.setAttribute("aria-invalid", String(invalid));
}

function innerControl(control: HTMLElement): HTMLElement | undefined {
  const inner = control.shadowRoot?.querySelector("input, textarea");
  return inner instanceof HTMLElement ? inner : undefined;
}
