import type { Frame, Locator } from "playwright-core";
import type { Workbench } from "./workbench.ts";

/** A form in a panel, filled as a person does it. */
class FormPage {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  /** The field with a label. */
  field(label: string): Locator {
    const heading = this.frame.locator(".field-label, vscode-checkbox").filter({ hasText: exactly(label) });
    return this.frame.locator(".field").filter({ has: heading }).first();
  }

  async fill(label: string, text: string): Promise<void> {
    await this.field(label).locator("vscode-text-field input").fill(text);
  }

  async choose(label: string, option: string): Promise<void> {
    const field = this.field(label);
    const radio = field.locator("vscode-radio").filter({ hasText: option });
    if ((await radio.count()) > 0) {
      await radio.click();
      return;
    }
    await field.locator("vscode-dropdown").click();
    await field
      .locator("vscode-option")
      .filter({ hasText: exactly(option) })
      .click();
  }

  async check(label: string): Promise<void> {
    await this.field(label).locator("vscode-checkbox").first().click();
  }

  async press(button: string): Promise<void> {
    await this.frame
      .locator("vscode-button")
      .filter({ hasText: exactly(button) })
      .first()
      .click();
  }
}

/** The Tool run panel that is open. */
export class ToolRunPage extends FormPage {
  /** @param tool is the name that the page shows: another tool's page may still be on its way out */
  static async find(workbench: Workbench, tool: string): Promise<ToolRunPage> {
    const title = `h1:text-is(${JSON.stringify(tool)})`;
    return new ToolRunPage(await workbench.panel(`body[data-page="toolRun"]:has(${title}) .run-bar`));
  }

  /** The place of the result; it holds what came of the last run. */
  get result(): Locator {
    return this.frame.locator(".result-place");
  }
}

/** The Input request panel that is open. */
export class InputPage extends FormPage {
  static async find(workbench: Workbench): Promise<InputPage> {
    return new InputPage(await workbench.panel('body[data-page="input"] .answer-bar'));
  }

  /** Waits for the round that says something. */
  async untilAsked(words: string): Promise<void> {
    await this.frame.locator(".quote").filter({ hasText: words }).first().waitFor();
  }
}

/** The Model request panel that is open. */
export class SamplingPage extends FormPage {
  static async find(workbench: Workbench): Promise<SamplingPage> {
    return new SamplingPage(await workbench.panel('body[data-page="sampling"] .answer-bar'));
  }

  /** A text that can be changed, by its name for a screen reader. */
  text(name: string): Locator {
    return this.frame.locator(`vscode-text-area[aria-label="${name}"] textarea`);
  }
}

function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*\\*?\\s*$`);
}
