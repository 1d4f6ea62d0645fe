import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { openWindow } from "../../../scripts/lib/browser.mjs";
import {
  type Editor,
  type EditorOptions,
  startEditor,
  workbenchAddress,
} from "../../../scripts/lib/editor.mjs";

const ROOT = resolve(import.meta.dirname, "..", "..", "..");
const SHOTS = join(ROOT, "out", "e2e");

/** How long a person would wait for the window to react, with room for a busy machine. Milliseconds. */
export const PATIENCE_MS = 20_000;

/** One VS Code window, in the words of the person who uses it. */
export class Workbench {
  readonly editor: Editor;
  readonly page: Page;
  readonly #close: () => Promise<void>;
  #shots = 0;

  private constructor(editor: Editor, page: Page, close: () => Promise<void>) {
    this.editor = editor;
    this.page = page;
    this.#close = close;
  }

  /** Starts a VS Code with a fresh profile and opens a folder in it. */
  static async open(folder: string, options: EditorOptions): Promise<Workbench> {
    const editor = await startEditor(options);
    try {
      const window = await openWindow();
      window.page.setDefaultTimeout(PATIENCE_MS);
      const workbench = new Workbench(editor, window.page, async () => {
        await window.dispose();
        await editor.dispose();
      });
      await workbench.load(folder);
      return workbench;
    } catch (error) {
      await editor.dispose();
      throw error;
    }
  }

  /** Opens the folder, or opens it again. */
  async load(folder: string): Promise<void> {
    await this.page.goto(workbenchAddress(this.editor, folder));
    await this.page.locator(".monaco-workbench .statusbar").waitFor({ timeout: 60_000 });
    // The view of the extension appears once the window knows what is installed.
    await this.page.locator('.activitybar [aria-label^="Signalbox"]').first().waitFor({ timeout: 60_000 });
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** Keeps what the window shows as an artefact of the run. */
  async shoot(name: string): Promise<void> {
    mkdirSync(SHOTS, { recursive: true });
    this.#shots += 1;
    const number = String(this.#shots).padStart(2, "0");
    await this.page.screenshot({ path: join(SHOTS, `${name.replace(/\W+/g, "-")}-${number}.png`) });
  }

  /** Runs a command from the palette by its title. */
  async runCommand(title: string): Promise<void> {
    await until(`command ${title}`, async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("F1");
      await this.#quickInput().fill(`>${title}`);
      // The list follows the text a moment later, and an open one does not learn of commands that come to be.
      const first = this.page
        .locator(".quick-input-list .monaco-list-row")
        .first()
        .filter({ hasText: title });
      const found = await first.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => undefined,
      );
      return found;
    });
    await this.page.keyboard.press("Enter");
  }

  /** Chooses an entry of the quick pick that is open, by the text that it begins with. */
  async choose(label: string | RegExp): Promise<void> {
    const row = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: label }).first();
    await row.waitFor();
    await row.click();
  }

  /** Answers the input box that is open. `prompt` is a part of what it says. */
  async answer(prompt: string | RegExp, text: string): Promise<void> {
    await this.page.locator(".quick-input-widget").filter({ hasText: prompt }).waitFor();
    await this.#quickInput().fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Presses a button of the dialog that is open. */
  async pressInDialog(button: string): Promise<void> {
    const dialog = this.page.locator(".monaco-dialog-box");
    await dialog.locator(".monaco-button").filter({ hasText: button }).first().click();
    await dialog.waitFor({ state: "detached" });
  }

  /** Shows a view of the activity bar. */
  async openView(name: string): Promise<void> {
    const entry = this.page.locator(`.activitybar .action-item:has([aria-label^="${name}"])`).first();
    if (!(await entry.evaluate((element) => element.classList.contains("checked")))) await entry.click();
  }

  /** The row of a tree whose label begins with a text. */
  treeRow(label: string | RegExp): Locator {
    return this.page.locator(".sidebar .monaco-list-row").filter({ hasText: label });
  }

  /** Opens a row of a tree that is closed. */
  async expand(label: string | RegExp): Promise<void> {
    const row = this.treeRow(label).first();
    await row.waitFor();
    if ((await row.getAttribute("aria-expanded")) === "false")
      await row.locator(".monaco-tl-twistie").click();
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast").filter({ hasText: text });
  }

  /** Presses a button of the notification that says something. */
  async pressInNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).locator(".monaco-button").filter({ hasText: button }).first().click();
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator(".statusbar-item").filter({ hasText: text });
  }

  /** The page inside a webview, found by an element that only it has. */
  async panel(selector: string): Promise<Frame> {
    return until(`a panel with ${selector}`, () => this.#frameWith(selector));
  }

  /** Closes all editors, and waits until the pages in them are gone: one that lingers could be taken for the next one. */
  async closeEditors(): Promise<void> {
    await this.runCommand("View: Close All Editors");
    await until("an end of all pages", async () => {
      return (await this.#frameWith("body[data-page]")) === undefined ? true : undefined;
    });
  }

  async #frameWith(selector: string): Promise<Frame | undefined> {
    for (const frame of this.page.frames()) {
      // A frame may go away while it is being looked at.
      const count = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (count > 0) return frame;
    }
    return undefined;
  }

  /**
   * Waits until the chat can use a model: a question that is sent earlier is refused.
   * The list of models is what makes the editor ask the providers.
   */
  async untilModel(name: string): Promise<void> {
    await this.runCommand("Chat: Manage Language Models");
    await this.page.locator(".models-widget").getByText(name).first().waitFor();
    await this.page.keyboard.press("Escape");
    await this.page.locator(".models-widget").waitFor({ state: "detached" });
    await this.page.locator(".interactive-input-part").getByText(name).first().waitFor();
  }

  /** Types into the chat view and sends it. */
  async askInChat(text: string): Promise<void> {
    const input = this.page.locator(".interactive-input-part .monaco-editor").first();
    await input.click();
    await this.page.keyboard.press("ControlOrMeta+A");
    await this.page.keyboard.type(text, { delay: 5 });
    // The completions of a name in the text would take Enter for themselves.
    await this.page.keyboard.press("Escape");
    await this.page.keyboard.press("Enter");
  }

  /** The last answer in the chat view. */
  chatAnswer(): Locator {
    return this.page.locator(".interactive-item-container.interactive-response").last();
  }

  #quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible input.input");
  }
}

/** Asks until there is an answer, or fails with what was waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  limitMs = PATIENCE_MS,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`There was no ${what} within ${limitMs / 1000} s.`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
}
