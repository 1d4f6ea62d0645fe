import { CodedError, type MessageArgs, type MessageTemplate } from "../base/errors.ts";

/**
 * Everything that the engine itself can say went wrong. What a server said went wrong is an RpcError.
 * Arguments in braces: `server` is always the configured name of the server.
 */
export const ENGINE_ERRORS = {
  cancelled: { message: "The request {method} to “{server}” was cancelled." },
  closed: { message: "The connection to “{server}” is closed." },
  timeout: {
    message: "“{server}” did not answer {method} within {seconds} s.",
    remedy: "Raise “timeouts” for this server in the settings, or look at its log.",
  },
  "command-not-found": {
    message: "The command “{command}” of “{server}” was not found. Searched: {path}",
    remedy: "Install it, or give its full path in the server's settings.",
  },
  "spawn-failed": {
    message: "“{server}” could not be started: {reason}",
    remedy: "Check command, arguments and working directory in the server's settings.",
  },
  "process-exited": {
    message: "The process of “{server}” ended ({exit}).",
    remedy: "Its last error output is in the server's log. Restart the server when the cause is gone.",
  },
  "message-too-large": {
    message: "“{server}” sent a message of more than {limit} bytes.",
    remedy: "Ask the server for less at a time, or raise “limits.messageBytes”.",
  },
  "input-blocked": {
    message: "“{server}” does not read its input; {limit} bytes are already waiting.",
    remedy: "Restart the server. If it happens again, report it to the server's authors.",
  },
  "not-json-rpc": {
    message: "“{server}” answered {method} with something that is not an MCP message: {reason}",
    remedy: "Check that the address is that of an MCP endpoint.",
  },
  "stream-ended": {
    message:
      "“{server}” closed the stream before it answered {method}. Whether the request was carried out is unknown.",
    remedy: "Check the effect before you run it again.",
  },
  "http-status": {
    message: "“{server}” answered {method} with HTTP {status}.",
    remedy: "The start of the answer is in the server's log.",
  },
  busy: {
    message: "“{server}” has too much to do for {method} (HTTP {status}) and asks to wait {seconds} s.",
    remedy: "Run it again after that time.",
  },
  "authorization-required": {
    message: "“{server}” asks for authorization (HTTP {status}).",
    remedy: "Add an “Authorization” header with a ${secret:…} placeholder to the server's settings.",
  },
  forbidden: {
    message: "“{server}” does not allow this (HTTP {status}).",
    remedy:
      "Your account may lack the right there, or something on the way blocks it. The log has what was said.",
  },
  redirected: {
    message: "“{server}” redirects to {target}, which is another origin. It was not followed.",
    remedy: "If you trust that address, set it as the server's URL.",
  },
  "session-lost": {
    message: "“{server}” no longer knows the session.",
    remedy: "Restart the server's connection.",
  },
  "no-common-revision": {
    message: "“{server}” speaks {theirs}; Signalbox speaks {ours}.",
    remedy: "Update the server, or allow an older revision with “minimumProtocol”.",
  },
  "pinned-revision": {
    message: "“{server}” is pinned to {pinned}, but answered: {reason}",
    remedy: "Set “protocol” to “auto”, or to the revision that the server speaks.",
  },
  "neither-era": {
    message: "“{server}” answered neither server/discover nor initialize: {reason}",
    remedy: "Check that it is an MCP server and that it started; its log has the details.",
  },
  "was-modern": {
    message:
      "“{server}” was a {revision} server until {until} and now looks like an older one. No downgrade was made.",
    remedy: "If that is intended, choose “Negotiate Again”.",
  },
  "invalid-result": {
    message: "“{server}” answered {method} with an invalid result: {reason}",
    remedy: "This is a fault of the server; report it to its authors.",
  },
  "unknown-result-type": {
    message: "“{server}” answered {method} with the unknown result type “{type}”. Nothing of it was used.",
    remedy: "The server needs an extension that was not offered to it.",
  },
  "unsupported-method": { message: "{method} does not exist in {revision}, which “{server}” speaks." },
  "missing-capability": {
    message: "“{server}” needs something for {method} that this client cannot offer here: {capabilities}",
  },
  "undeclared-input": {
    message:
      "“{server}” asked for {kind} input, which was not offered for {method}. Nothing was shown or sent.",
  },
  "sampling-off": {
    message: "“{server}” wants the answer of a language model for {method}, which is not allowed to it.",
    remedy:
      "If you want that, choose “Allow a Language Model for Server…”, or set “sampling” to “ask” for this server. You are asked each time.",
  },
  "sampling-refused": {
    message: "You did not let “{server}” use a language model, so {method} was not continued.",
  },
  "sampling-too-often": {
    message: "“{server}” asked for the answer of a language model more than {limit} times within a minute.",
    remedy: "Wait a minute. If it happens again, report it to the server's authors.",
  },
  "invalid-sampling": {
    message: "“{server}” asked for the answer of a language model in a way that MCP does not allow: {reason}",
    remedy: "This is a fault of the server; report it to its authors.",
  },
  "roots-off": {
    message: "“{server}” wants to know your folders for {method}, which is not allowed to it.",
    remedy:
      "If you want that, choose the folders with “Choose Folders for Server…”, or set “roots” for this server.",
  },
  "unsupported-form": {
    message: "“{server}” asked for input with a form that MCP does not allow: {reason}",
    remedy: "This is a fault of the server; report it to its authors.",
  },
  "too-many-rounds": {
    message: "“{server}” asked for input {rounds} times in one call of {method}; the limit is reached.",
  },
  "input-too-large": { message: "“{server}” sent more than {limit} bytes of {what} in one call." },
  "url-declined": {
    message:
      "“{server}” wants something done in the browser first, and that was not accepted. It was not called again.",
  },
  "not-watched": {
    message: "“{server}” does not tell when {uri} changes.",
    remedy: "Read it again to see whether it changed.",
  },
  "tasks-off": {
    message: "“{server}” carries {method} out only as a task, and tasks are not switched on for it.",
    remedy: "If you want that, set “tasks” to true for this server in the settings.",
  },
  "no-tasks": {
    message: "“{server}” has no tasks as it is connected now, so nothing can be asked about {task}.",
    remedy: "Check that the server still runs in the mode in which the task was begun.",
  },
  "task-gone": {
    message: "“{server}” no longer has the task {task}. It says: {reason}",
    remedy: "Servers keep tasks for a limited time. Check the effect before you run the tool again.",
  },
  "task-expired": {
    message:
      "The task {task} of “{server}” did not move on within the time for which the server keeps it. What came of it is unknown.",
    remedy: "Check the effect before you run the tool again.",
  },
  "task-cancelled": { message: "“{server}” cancelled the task {task}. {reason}" },
  "task-goes-on": {
    message: "“{server}” cannot cancel tasks, so the task {task} goes on.",
    remedy: "Nobody waits for it any more; you can still look at its result later.",
  },
  "unknown-tool": {
    message: "“{server}” has no usable tool “{tool}”. {reason}",
    remedy: "Refresh the server's tools.",
  },
  "no-such-resource": {
    message: "“{server}” does not have the resource {uri}. It says: {reason}",
    remedy: "Refresh the server's resources, and check the address.",
  },
  "skills-off": {
    message: "Skills are not switched on for “{server}”. Nothing was read.",
    remedy: "If you want them, set “skills” to true for this server in the settings.",
  },
  "no-such-skill": {
    message: "“{server}” has no skill “{skill}”. Nothing was read.",
    remedy: "Refresh the server's lists, and check the name.",
  },
  "ambiguous-skill": {
    message: "“{server}” has more than one skill “{skill}”: {uris}. Nothing was read.",
    remedy: "Name it by its URI.",
  },
  "no-such-skill-file": {
    message: "The skill “{skill}” of “{server}” lists no file “{file}”. Nothing was read.",
    remedy:
      "A skill has the files of its entry and no others. If it was changed, refresh the server's lists.",
  },
  "skill-dynamic": {
    message:
      "The content of the skill “{skill}” of “{server}” is made anew each time, so it cannot be verified. Nothing was read.",
    remedy: "Ask the server's authors to publish the digests of its files.",
  },
  "skill-too-large": {
    message:
      "The skill “{skill}” of “{server}” has {files} files with {bytes} bytes; at most {maxFiles} with {maxBytes} are allowed. Nothing was read.",
    remedy: "Ask the server's authors to make it smaller.",
  },
  "skill-invalid": {
    message:
      "The entry of the skill “{skill}” of “{server}” breaks the rules of the extension: {reason}. Nothing was read.",
    remedy: "This is a fault of the server; report it to its authors.",
  },
  "skill-unreadable": {
    message:
      "“{file}” of the skill “{skill}” of “{server}” could not be verified: {reason}. Nothing of it was used.",
    remedy: "If it was changed, refresh the server's lists. If it stays like this, do not use the skill.",
  },
  "skill-size": {
    message:
      "“{file}” of the skill “{skill}” of “{server}” has {actual} bytes instead of {size}. Nothing of it was used.",
    remedy: "If it was changed, refresh the server's lists. If it stays like this, do not use the skill.",
  },
  "skill-digest": {
    message:
      "“{file}” of the skill “{skill}” of “{server}” is not what the skill announces: its SHA-256 digest differs. Nothing of it was used.",
    remedy: "If it was changed, refresh the server's lists. If it stays like this, do not use the skill.",
  },
  "skill-front-matter": {
    message:
      "The front matter of the skill “{skill}” of “{server}” is not what the skill announces: “{field}” differs. Nothing of it was used.",
    remedy: "If it was changed, refresh the server's lists. If it stays like this, do not use the skill.",
  },
  "broken-template": {
    message: "The template {template} of “{server}” cannot be filled in: {reason}",
    remedy: "Check the values. If they are right, report it to the server's authors.",
  },
  "missing-argument": {
    message: "The prompt “{prompt}” of “{server}” needs {arguments}. Nothing was sent.",
    remedy: "Give a text for each required argument.",
  },
  "argument-not-text": {
    message: "The prompt “{prompt}” of “{server}” takes texts only; {arguments} is none. Nothing was sent.",
    remedy: "Write the value as a text, for example in quotes.",
  },
  "prompt-refused": {
    message: "“{server}” does not give the prompt “{prompt}” for these arguments. It says: {reason}",
    remedy: "Refresh the server's prompts, and check the name and the arguments.",
  },
  "not-announced": {
    message: "“{server}” announces no {capability}, so {method} was not sent.",
    remedy: "Check that the server offers this in the mode in which it runs; restart it after a change.",
  },
} as const satisfies Record<string, MessageTemplate>;

export type EngineErrorCode = keyof typeof ENGINE_ERRORS;

/** The engine's own error. The peer's is RpcError: the two cannot be confused. */
export class EngineError extends CodedError<EngineErrorCode> {
  /** The status code of the HTTP answer that the error is about; undefined when no answer was involved. */
  readonly httpStatus: number | undefined;

  constructor(
    code: EngineErrorCode,
    args: MessageArgs,
    options: {
      readonly cause?: unknown;
      readonly detail?: string | undefined;
      readonly httpStatus?: number | undefined;
    } = {},
  ) {
    super(code, ENGINE_ERRORS[code], args, options);
    this.httpStatus = options.httpStatus;
  }
}
