import type { AnswerTexts } from "../model/signInPorts.ts";

/** The words of the pages where the host brings none. */
export const ENGLISH_ANSWER_TEXTS: AnswerTexts = {
  language: "en",
  pages: {
    taken: {
      title: "Back to the editor",
      text: "The answer for “{server}” has arrived. The editor finishes signing in and says there whether it worked. You can close this page.",
    },
    refused: {
      title: "Not signed in",
      text: "The authorization server did not authorize “{server}”. The editor shows its reason. You can close this page.",
    },
    again: {
      title: "One more step",
      text: "The authorization server does not grant the permissions that “{server}” lists. The editor asks it again without naming any, on a page of its own. You can close this one.",
    },
    rejected: {
      title: "Not signed in",
      text: "What came back for “{server}” cannot be trusted, and was not used. The editor says why. You can close this page.",
    },
    unknown: {
      title: "Nothing waits for this",
      text: "This address belongs to no sign-in that is under way. One that is waiting for you in the editor goes on: finish it on the page that it opened, or begin anew there.",
    },
    unreadable: {
      title: "The answer cannot be read here",
      text: "The authorization server did not put its answer into the query of the address, where it belongs. This is a fault of that server. In the editor the sign-in still waits; cancel it there.",
    },
    already: {
      title: "Already done",
      text: "This answer has been taken before, and is good for one time only. You can close this page.",
    },
  },
};
