import type { JsonObject } from "../base/json.ts";
import { ClientError } from "../client/clientError.ts";
import { nearestKey } from "../client/nearestKey.ts";
import type { CallOptions, ServerPool } from "../client/serverPool.ts";
import type { ListState, ServerState } from "../client/serverState.ts";
import type { ListedSkill } from "../client/skills/skillShelf.ts";
import { EngineError } from "../protocol/engineError.ts";
import { announcesSkills, SKILLS_EXTENSION } from "../protocol/skills/skillsExtension.ts";
import { expandUriTemplate, type TemplateValues } from "../protocol/resources/uriTemplate.ts";
import { describeCall, describePrompt, describeResource, describeSkillFile } from "./describeResults.ts";
import type { RunInvocation } from "./parseArguments.ts";
import type { Report } from "./report.ts";

/** What a command gave: the parts of the report that are its own. */
export type CommandResult = Pick<
  Report,
  | "tools"
  | "rejectedTools"
  | "resources"
  | "templates"
  | "prompts"
  | "skills"
  | "result"
  | "resource"
  | "prompt"
  | "skill"
  | "completion"
> & { readonly warnings?: readonly string[] };

export type Connected = Extract<ServerState, { readonly kind: "connected" }>;

/** What a command works with. */
export interface CommandContext {
  readonly pool: ServerPool;
  readonly invocation: RunInvocation;
  /** Checked by `checkArguments`. */
  readonly args: JsonObject;
  readonly options: CallOptions;
}

/** Does what a command says on a connected server. */
export async function carryOut(context: CommandContext): Promise<CommandResult> {
  const { pool, invocation, args, options } = context;
  const { server, target } = invocation;
  switch (invocation.command) {
    case "test":
      toolsOf(context);
      return {};
    case "tools": {
      const { tools, rejectedTools } = toolsOf(context).catalog;
      return { tools: tools.map(({ raw }) => raw), rejectedTools };
    }
    case "call":
      checkTool(server, target, connectedState(pool, server));
      return { result: describeCall(await pool.callTool(server, target, args, options)) };
    case "resources": {
      const { resources, templates } = await untilListed(context);
      const [some, families] = [entriesOf(resources), entriesOf(templates)];
      return {
        resources: some.entries,
        templates: families.entries,
        warnings: [...some.warnings, ...families.warnings],
      };
    }
    case "read": {
      const uri =
        invocation.args === undefined ? target : expandUriTemplate(server, target, args as TemplateValues);
      return describeResource(await pool.readResource(server, uri, options));
    }
    case "prompts": {
      const { entries, warnings } = entriesOf((await untilListed(context)).prompts);
      return { prompts: entries, warnings };
    }
    case "prompt": {
      await untilListed(context);
      const texts = args as Readonly<Record<string, string>>;
      return describePrompt(await pool.getPrompt(server, target, texts, options));
    }
    case "skills": {
      const { skills } = await untilListed(context);
      if (skills.kind === "absent") requireSkills(server, connectedState(pool, server));
      const { entries, warnings } = entriesOf(rawSkills(skills));
      return { skills: entries, warnings };
    }
    case "skill":
      await untilListed(context);
      return {
        skill: describeSkillFile(
          await pool.readSkill(server, { skill: target, file: invocation.file }, options),
        ),
      };
    case "complete":
      return { completion: await complete(context) };
  }
}

/** The state of a server that is connected; the problem that ended the connection otherwise. */
export function connectedState(pool: ServerPool, id: string): Connected {
  const state = pool.get(id)?.state;
  if (state?.kind === "connected") return state;
  if (state?.kind === "failed" || state?.kind === "blocked") throw state.problem;
  throw new ClientError("not-connected", { server: id });
}

function toolsOf({ pool, invocation }: CommandContext): Connected {
  const state = connectedState(pool, invocation.server);
  if (state.listProblem !== undefined) throw state.listProblem;
  return state;
}

/** Waits until the lists beside the tools are read, which goes on after connecting. */
async function untilListed({ pool, invocation, options }: CommandContext): Promise<Connected["lists"]> {
  const { server } = invocation;
  for (;;) {
    options.signal?.throwIfAborted();
    const { lists } = connectedState(pool, server);
    if (Object.values(lists).every(({ kind }) => kind !== "unread")) return lists;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        subscription.dispose();
        options.signal?.removeEventListener("abort", done);
        resolve();
      };
      const subscription = pool.onDidChange(done);
      options.signal?.addEventListener("abort", done, { once: true });
    });
  }
}

/** Says why there are none, where the server does not even announce them. */
function requireSkills(server: string, { negotiation }: Connected): void {
  if (announcesSkills(negotiation.capabilities)) return;
  const method = "skills/list";
  throw new EngineError("not-announced", { server, capability: SKILLS_EXTENSION, method });
}

function rawSkills(list: ListState<ListedSkill>): ListState<{ readonly raw: JsonObject }> {
  return list.kind === "listed" ? { ...list, items: list.items.map(({ skill }) => skill) } : list;
}

function entriesOf(list: ListState<{ readonly raw: JsonObject }>): {
  readonly entries: readonly JsonObject[];
  readonly warnings: readonly string[];
} {
  if (list.kind === "failed") throw list.problem;
  if (list.kind !== "listed") return { entries: [], warnings: [] };
  return { entries: list.items.map(({ raw }) => raw), warnings: list.warnings };
}

/** Says at once that a tool is unknown or withheld, where the list of tools is known to be complete. */
function checkTool(server: string, tool: string, { catalog, listProblem }: Connected): void {
  if (listProblem !== undefined || catalog.warnings.length > 0) return;
  const names = catalog.tools.map(({ name }) => name);
  if (names.includes(tool)) return;
  const rejected = catalog.rejectedTools.find(({ name }) => name === tool);
  const nearest = nearestKey(tool, names);
  const reason =
    rejected?.reason ?? (nearest === undefined ? "It lists no such tool." : `Did you mean “${nearest}”?`);
  throw new EngineError("unknown-tool", { server, tool, reason });
}

async function complete({ pool, invocation, args, options }: CommandContext): Promise<JsonObject> {
  const { server, target, completion } = invocation;
  const { kind, argument, value } = completion ?? { kind: "prompt", argument: "", value: "" };
  const what =
    kind === "prompt" ? ({ kind, name: target } as const) : ({ kind: "resource", uri: target } as const);
  const known = args as Readonly<Record<string, string>>;
  return { ...(await pool.complete(server, what, { name: argument, value }, known, options.signal)) };
}
