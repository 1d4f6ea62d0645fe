import { ENGLISH_ANSWER_TEXTS } from "../../auth/loopback/answerTexts.ts";
import type { AnswerPage, AnswerTexts } from "../../auth/model/signInPorts.ts";
import type { Translate } from "../../shared/translate.ts";

/** What the browser shows at the end of a sign-in, in the language of this window. `{server}` stays to be filled in. */
export function answerPages(t: Translate): AnswerTexts {
  const { language, pages } = ENGLISH_ANSWER_TEXTS;
  const page = (name: AnswerPage): AnswerTexts["pages"][AnswerPage] => {
    const { title, text } = pages[name];
    return { title: t(title), text: t(text) };
  };
  return {
    // Translated like a text, so that it is the language of the texts beside it.
    language: t(language),
    pages: {
      taken: page("taken"),
      refused: page("refused"),
      again: page("again"),
      rejected: page("rejected"),
      unknown: page("unknown"),
      unreadable: page("unreadable"),
      already: page("already"),
    },
  };
}
