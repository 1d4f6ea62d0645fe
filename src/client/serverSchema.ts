import * as z from "zod";
import type { TlsOptions } from "../net/networkSettings.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS, type Limits, type Timeouts } from "../protocol/limits.ts";
import { OLD_REVISIONS, REVISIONS } from "../protocol/model/revision.ts";
import { SERVER_LOG_LEVELS } from "../protocol/model/serverLog.ts";
import { oauthEntry } from "./authorization/oauthSchema.ts";
import type { ConfigProblemCode } from "./configProblems.ts";

/** A refinement's message names the problem; `describeIssue` reads it. */
const problem = (code: ConfigProblemCode): { readonly message: ConfigProblemCode } => ({ message: code });

/** People write numbers and truth values where text is meant, in `env` above all. */
const text = z.preprocess(
  (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
  z.string().refine((value) => !value.includes("\0"), problem("null-character")),
);
const filled = text.refine((value) => value.trim() !== "", problem("empty"));

/** The bounds of each limit. Below the minimum ordinary servers stop working; above the maximum memory does. */
export const LIMIT_RANGES: Readonly<Record<keyof Limits, readonly [minimum: number, maximum: number]>> = {
  // A text of V8 ends at about 512 MiB; a message has to fit into one.
  messageBytes: [1024, 256 * 1024 * 1024],
  stderrBytes: [1024, 16 * 1024 * 1024],
  concurrentRequests: [1, 1024],
  listPages: [1, 100_000],
  listItems: [1, 1_000_000],
  inputRounds: [1, 100],
  inputBytes: [1024, 64 * 1024 * 1024],
  requestStateBytes: [1024, 64 * 1024 * 1024],
  schemaDepth: [4, 512],
  schemaNodes: [100, 1_000_000],
  schemaMs: [10, 10_000],
};

/** The bounds of each time limit in the settings, in seconds. */
export const TIMEOUT_RANGES = {
  probe: [0.1, 600],
  connect: [0.1, 3_600],
  request: [0.1, 86_400],
  maximum: [1, 604_800],
} as const satisfies Record<string, readonly [minimum: number, maximum: number]>;

const seconds = (key: keyof typeof TIMEOUT_RANGES): z.ZodOptional<z.ZodNumber> => {
  const [minimum, maximum] = TIMEOUT_RANGES[key];
  return z.number().min(minimum).max(maximum).optional();
};

const limit = (key: keyof Limits): z.ZodOptional<z.ZodInt> => {
  const [minimum, maximum] = LIMIT_RANGES[key];
  return z.int().min(minimum).max(maximum).optional();
};

const common = {
  description: text.optional(),
  enabled: z.boolean().default(true),
  /** How other clients spell `"enabled": false`. */
  disabled: z.boolean().default(false),
  autostart: z.boolean().default(false),
  restart: z.boolean().default(true),
  chat: z.boolean().default(true),
  cache: z.boolean().default(true),
  sampling: z.enum(["off", "ask"]).optional(),
  roots: z.union([z.boolean(), z.array(filled)]).optional(),
  skills: z.boolean().default(false),
  tools: z.array(filled).optional(),
  protocol: z.enum(["auto", "legacy", ...REVISIONS]).default("auto"),
  minimumProtocol: z.enum([...REVISIONS, ...OLD_REVISIONS]).default("2025-06-18"),
  logLevel: z.enum(["off", ...SERVER_LOG_LEVELS]).default("off"),
  trace: z.boolean().default(false),
  tasks: z.boolean().default(false),
  timeouts: z
    .object({
      probe: seconds("probe"),
      connect: seconds("connect"),
      request: seconds("request"),
      maximum: seconds("maximum"),
    })
    .default({}),
  limits: z
    .object({
      messageBytes: limit("messageBytes"),
      stderrBytes: limit("stderrBytes"),
      concurrentRequests: limit("concurrentRequests"),
      listPages: limit("listPages"),
      listItems: limit("listItems"),
      inputRounds: limit("inputRounds"),
      inputBytes: limit("inputBytes"),
      requestStateBytes: limit("requestStateBytes"),
      schemaDepth: limit("schemaDepth"),
      schemaNodes: limit("schemaNodes"),
      schemaMs: limit("schemaMs"),
    } satisfies Record<keyof Limits, unknown>)
    .default({}),
};

/** An entry that describes a process. */
export const stdioEntry = z.object({
  ...common,
  command: filled,
  args: z.array(text).default([]),
  cwd: filled.optional(),
  env: z.record(z.string(), text.nullable()).default({}),
  envFile: filled.optional(),
  inheritEnv: z.union([z.literal(true), z.array(filled)]).default([]),
});

/** An entry that describes an HTTP endpoint. */
export const httpEntry = z.object({
  ...common,
  url: filled,
  headers: z.record(z.string(), text).default({}),
  proxy: z
    .union([z.literal(false), z.string().refine((value) => value.trim() !== "", problem("not-proxy"))])
    .optional(),
  tls: z
    .object({
      ca: filled.optional(),
      cert: filled.optional(),
      key: filled.optional(),
      passphrase: filled.optional(),
      serverName: filled.optional(),
    } satisfies Record<keyof TlsOptions, unknown>)
    .optional(),
  http2: z.boolean().optional(),
  // `false` has no form of its own to check, and one of several forms would be told without its place.
  oauth: z.preprocess((value) => (value === false ? undefined : value), oauthEntry.optional()),
});

/** Seconds of the settings as the engine's milliseconds, defaults filled in. */
export function toTimeouts(settings: z.infer<typeof httpEntry>["timeouts"]): Timeouts {
  const toMs = (value: number | undefined, standard: number): number =>
    value === undefined ? standard : Math.round(value * 1000);
  const probeMs = toMs(settings.probe, DEFAULT_TIMEOUTS.probeMs);
  const requestMs = toMs(settings.request, DEFAULT_TIMEOUTS.requestMs);
  return {
    probeMs,
    hedgeMs: Math.min(DEFAULT_TIMEOUTS.hedgeMs, probeMs),
    connectMs: toMs(settings.connect, DEFAULT_TIMEOUTS.connectMs),
    requestMs,
    maximumMs: Math.max(toMs(settings.maximum, DEFAULT_TIMEOUTS.maximumMs), requestMs),
  };
}

/** The limits of the settings over the defaults. */
export function toLimits(settings: z.infer<typeof httpEntry>["limits"]): Limits {
  const set = Object.entries(settings).filter((entry) => entry[1] !== undefined);
  return { ...DEFAULT_LIMITS, ...(Object.fromEntries(set) as Partial<Limits>) };
}
