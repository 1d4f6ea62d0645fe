import type { ProtocolSetting, Revision } from "../../../src/protocol/model/revision.ts";

/** What a server on an official SDK can do for a client in one way of being served. */
export interface Traits {
  /** Whether what a call sends before its result arrives: progress, and messages of its log. */
  readonly progress: boolean;
  /** Questions to a person. */
  readonly questions: Asking;
  /** Requests for a model and for folders. */
  readonly features: Asking;
  /** Whether the server tells of changes on its own. */
  readonly changes: boolean;
  /** Whether a call that is given up ends at the server too. */
  readonly hearsCancel: boolean;
  /** Whether the server's log arrives: at the level that was asked for, at all levels, or not at all. */
  readonly log: "levelled" | "everything" | "none";
  /** Whether the server closes the stream of a call, for the client to come back. */
  readonly polls: boolean;
}

/**
 * What becomes of what the server asks: answered; refused by the server itself, which knows nothing of its client; or
 * lost by it, so that the call ends with its time limit.
 */
export type Asking = "answered" | "refused" | "lost";

export interface Cell {
  /** The generation of the SDK: `one` is `@modelcontextprotocol/sdk` 1.32.2, `two` is `…/server` 2.4.0. */
  readonly generation: "one" | "two";
  /** How it is served: the argument of the fixture, and for HTTP the first part of the path. */
  readonly form: Form;
  readonly revision: Revision;
  /** The setting of our side: where the revision is what `auto` finds, that is what is tried. */
  readonly protocol: ProtocolSetting;
  readonly traits: Traits;
}

/** What the SDK does not speak, and why; Signalbox is told to use it all the same, and has to say so. */
export interface EmptyCell extends Omit<Cell, "traits"> {
  readonly reason: string;
  /** What a user reads of the server's answer. */
  readonly answer: string;
}

type Form =
  | "stdio"
  | "session-json"
  | "session-sse"
  | "stateless-json"
  | "stateless-sse"
  | "json"
  | "sse"
  | "plain"
  | "modern-stdio"
  | "modern-http";

export const FORM_TITLES: Readonly<Record<Form, string>> = {
  stdio: "stdio",
  "session-json": "HTTP JSON in a session",
  "session-sse": "HTTP SSE in a session",
  "stateless-json": "HTTP JSON without a session",
  "stateless-sse": "HTTP SSE without a session",
  json: "HTTP JSON",
  sse: "HTTP SSE",
  plain: "HTTP as its handler comes",
  "modern-stdio": "stdio for modern clients alone",
  "modern-http": "HTTP for modern clients alone",
};

export const SDK_NAMES = {
  one: "@modelcontextprotocol/sdk 1.32.2",
  two: "@modelcontextprotocol/server 2.4.0",
} as const;

const ALL: Traits = {
  progress: true,
  questions: "answered",
  features: "answered",
  changes: true,
  hearsCancel: true,
  log: "levelled",
  polls: false,
};
/** Without a session each request meets a new server, which knows neither its client nor other requests. */
const STATELESS: Traits = {
  ...ALL,
  questions: "refused",
  features: "refused",
  changes: false,
  hearsCancel: false,
};
/** The first generation asks for a model and for folders all the same, and never meets the answer. */
const STATELESS_ONE: Traits = { ...STATELESS, features: "lost", log: "none" };

const LEGACY = ["2025-11-25", "2025-06-18"] as const;
/** Only since then a client understands the event by which it can come back to a stream. */
const CAN_POLL = "2025-11-25";

/** Legacy cells of one form: the first is found by `auto` where the SDK speaks nothing newer. */
function legacyCells(
  generation: Cell["generation"],
  form: Form,
  traits: (revision: Revision) => Traits,
): Cell[] {
  return LEGACY.map((revision) => ({
    generation,
    form,
    revision,
    protocol: generation === "one" && revision === "2025-11-25" ? "auto" : revision,
    traits: traits(revision),
  }));
}

function modernCell(form: Form, traits: Traits): Cell {
  return { generation: "two", form, revision: "2026-07-28", protocol: "auto", traits };
}

export const CELLS: readonly Cell[] = [
  ...legacyCells("one", "stdio", () => ALL),
  ...legacyCells("one", "session-sse", (revision) => ({ ...ALL, polls: revision === CAN_POLL })),
  // Answers are plain JSON, so the server asks on the session's own stream.
  ...legacyCells("one", "session-json", () => ({ ...ALL, progress: false })),
  ...legacyCells("one", "stateless-sse", () => STATELESS_ONE),
  ...legacyCells("one", "stateless-json", () => ({ ...STATELESS_ONE, progress: false })),
  modernCell("stdio", ALL),
  modernCell("sse", ALL),
  modernCell("json", { ...ALL, progress: false, log: "none" }),
  modernCell("plain", ALL),
  ...legacyCells("two", "stdio", () => ALL),
  ...legacyCells("two", "sse", (revision) => ({ ...ALL, polls: revision === CAN_POLL })),
  // The SDK puts its questions on the stream of the answer, which is none here.
  ...legacyCells("two", "json", () => ({
    ...ALL,
    progress: false,
    questions: "lost",
    features: "lost",
    log: "none",
  })),
  ...legacyCells("two", "plain", () => ({ ...STATELESS, log: "everything" })),
];

const FORMS_ONE: readonly Form[] = [
  "stdio",
  "session-sse",
  "session-json",
  "stateless-sse",
  "stateless-json",
];

export const EMPTY_CELLS: readonly EmptyCell[] = [
  ...FORMS_ONE.map((form): EmptyCell => ({
    generation: "one",
    form,
    revision: "2026-07-28",
    protocol: "2026-07-28",
    reason: "the SDK's first generation knows no revision after 2025-11-25",
    answer: form === "stdio" ? "server/discover was refused with -32601" : "-32000 and HTTP 400",
  })),
  ...(["modern-stdio", "modern-http"] as const).flatMap((form) =>
    LEGACY.map((revision): EmptyCell => ({
      generation: "two",
      form,
      revision,
      protocol: revision,
      reason: "a server of the second generation may refuse older clients",
      answer: "it speaks 2026-07-28",
    })),
  ),
];
