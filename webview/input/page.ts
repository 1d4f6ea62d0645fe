import type { InputRoundView, InputToHost, InputToPage, InputView } from "../../src/shared/inputMessages.ts";
import { Announcer } from "../announcer.ts";
import { el, fill } from "../dom.ts";
import type { HostChannel } from "../hostChannel.ts";
import { t } from "../l10n.ts";
import { showWaiting, submitByKeyboard } from "../requestPage.ts";
import { type RequestDraft, startDraft } from "./requestSection.ts";
import { RoundView } from "./roundView.ts";

/** What the page keeps while it is hidden. It goes with the panel and is written nowhere else. */
export interface InputState {
  readonly roundId: string;
  readonly drafts: Record<string, RequestDraft>;
}

export type InputChannel = HostChannel<InputToPage, InputToHost, InputState | null>;

/** The Input request page: shows the first waiting round and sends the person's answer. */
export class InputPage {
  readonly #channel: InputChannel;
  readonly #announcer = new Announcer();
  readonly #waiting = el("div", { class: "waiting" });
  readonly #place = el("div", {});
  #roundId: string | undefined;
  #round: RoundView | undefined;

  constructor(root: HTMLElement, channel: InputChannel) {
    this.#channel = channel;
    fill(root, this.#waiting, this.#place, this.#announcer.element);
    submitByKeyboard(channel.signal, () => {
      this.#round?.submit();
    });
    channel.receive((message) => {
      if (message.type === "view") this.#show(message.view);
      else if (message.roundId === this.#roundId) this.#round?.showProblems(message.problems);
    });
    channel.post({ type: "ready" });
  }

  #show(view: InputView): void {
    showWaiting(this.#waiting, view.waiting);
    const { current } = view;
    if (current === undefined) {
      this.#roundId = undefined;
      this.#round = undefined;
      this.#channel.setState(null);
      fill(this.#place, el("p", { class: "empty", text: t("Nothing is waiting for an answer.") }));
      this.#announcer.say(t("Nothing is waiting for an answer."));
      return;
    }
    if (current.roundId !== this.#roundId) this.#start(current);
  }

  #start(round: InputRoundView): void {
    const { roundId } = round;
    const kept = this.#channel.getState();
    const drafts = startDrafts(round, kept?.roundId === roundId ? kept.drafts : {});
    const replaced = this.#roundId !== undefined;
    this.#roundId = roundId;
    const view = new RoundView({
      round,
      drafts,
      onInput: () => {
        this.#channel.setState({ roundId, drafts });
      },
      copy: (text) => {
        this.#channel.post({ type: "copy", text });
        this.#announcer.say(t("Copied."));
      },
      onAnswer: (answers) => {
        view.setBusy(t("Sending…"));
        this.#channel.post({ type: "answer", roundId, answers });
      },
      onDecline: () => {
        view.setBusy(t("Declining…"));
        this.#channel.post({ type: "decline", roundId });
      },
      onCancel: () => {
        view.setBusy(t("Cancelling…"));
        this.#channel.post({ type: "cancel", roundId });
      },
    });
    this.#round = view;
    fill(this.#place, view.element);
    this.#announcer.say(`${t("{server} asks for your input", { server: round.serverId })}. ${round.why}`);
    // A new round takes the place of what had the focus; without this the keyboard would be nowhere.
    if (replaced || document.hasFocus()) view.heading.focus();
    if (replaced) window.scrollTo(0, 0);
  }
}

/** A draft for every request. Own properties of any name, since keys are the server's. */
function startDrafts(
  round: InputRoundView,
  kept: Record<string, RequestDraft>,
): Record<string, RequestDraft> {
  return Object.fromEntries(
    round.requests.map((request) => [
      request.key,
      (Object.hasOwn(kept, request.key) ? kept[request.key] : undefined) ?? startDraft(request),
    ]),
  );
}
