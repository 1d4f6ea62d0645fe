import * as z from "zod";
import type { InputToHost } from "../../shared/inputMessages.ts";
import type { SamplingToHost } from "../../shared/samplingMessages.ts";
import type { ToolRunToHost } from "../../shared/toolRunMessages.ts";
import { jsonObject } from "../jsonObject.ts";

/** Characters of one text that a page may hand over for the clipboard or an editor. */
const MAX_TEXT = 64 * 1024 * 1024;
/** Answers that one message may carry; the engine allows fewer bytes than that many requests would need. */
const MAX_ANSWERS = 1_000;

const text = z.string().max(MAX_TEXT);
const roundId = z.string().max(1_024);
const formValue = z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.array(z.string()).readonly()]);

/** What the Tool run page may say. */
export const toolRunToHost: z.ZodType<ToolRunToHost> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("run"), arguments: jsonObject, checked: z.boolean() }),
  z.strictObject({ type: z.literal("cancel") }),
  z.strictObject({ type: z.literal("connect") }),
  z.strictObject({ type: z.literal("showLog") }),
  z.strictObject({ type: z.literal("showWaiting"), panel: z.enum(["input", "model"]) }),
  z.strictObject({ type: z.literal("allow"), feature: z.enum(["sampling", "roots"]) }),
  z.strictObject({ type: z.literal("cure"), command: z.string().max(100) }),
  z.strictObject({ type: z.literal("openLink"), uri: text }),
  z.strictObject({ type: z.literal("readResource"), uri: text }),
  z.strictObject({ type: z.literal("copy"), text }),
  z.strictObject({
    type: z.literal("openInEditor"),
    text,
    language: z.enum(["json", "plaintext", "markdown"]),
  }),
]);

const answer = z.discriminatedUnion("action", [
  z.strictObject({ key: text, action: z.literal("accept"), content: z.record(z.string(), formValue) }),
  z.strictObject({ key: text, action: z.literal("open") }),
  z.strictObject({ key: text, action: z.literal("decline") }),
]);

/** What the Input request page may say. */
export const inputToHost: z.ZodType<InputToHost> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("answer"), roundId, answers: z.array(answer).max(MAX_ANSWERS) }),
  z.strictObject({ type: z.literal("decline"), roundId }),
  z.strictObject({ type: z.literal("cancel"), roundId }),
  z.strictObject({ type: z.literal("copy"), text }),
]);

const taskId = z.string().max(1_024);
const texts = z.record(z.string(), text);

/** What the Model request page may say. */
export const samplingToHost: z.ZodType<SamplingToHost> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("send"), taskId, model: text, texts }),
  z.strictObject({ type: z.literal("stop"), taskId }),
  z.strictObject({ type: z.literal("sendBack"), taskId, texts }),
  z.strictObject({ type: z.literal("refuse"), taskId }),
]);
