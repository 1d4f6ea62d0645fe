import { hasInvisible } from "./invisibleText.ts";
import type { HttpConfig, ServerConfig, StdioConfig } from "./serverConfig.ts";
import { listTexts } from "./serverTexts.ts";
import { isLoopbackHost } from "../net/hostAddress.ts";

/** What is worth a second look before a server is allowed to start. The host translates the sentences. */
export const LAUNCH_RISKS = {
  elevated: "It runs with the rights of an administrator ({evidence}).",
  shell: "It runs a shell command ({evidence}), which can do anything.",
  "inline-code": "It runs code that stands in its arguments ({evidence}).",
  deletes: "It contains a command that deletes or overwrites ({evidence}).",
  "download-and-run": "It downloads something and runs it at once ({evidence}).",
  "container-host": "It gives a container access to this machine ({evidence}).",
  "workspace-program": "It runs a program from the workspace ({evidence}).",
  "steering-variable": "The variable {evidence} can change which code is run.",
  "inherits-everything": "The process sees all environment variables, tokens among them.",
  "plain-http": "Data goes to {evidence} without encryption.",
  proxied: "Everything that is sent to it goes through the proxy {evidence}.",
  "own-authority": "It is trusted on the word of a certificate authority of its own ({evidence}).",
  hidden: "It contains characters that cannot be seen; they are shown as \\u{…}.",
  lookalike: "“{evidence}” contains letters that can be mistaken for others.",
} as const;

export type LaunchRiskCode = keyof typeof LAUNCH_RISKS;

/** One risk, with the words that gave rise to it. */
export interface LaunchRisk {
  readonly code: LaunchRiskCode;
  readonly evidence: string;
}

/** Signs of danger in a definition. Their absence proves nothing: a person decides, not this list. */
export function launchRisks(config: ServerConfig): readonly LaunchRisk[] {
  const risks = config.type === "stdio" ? processRisks(config) : httpRisks(config);
  if (listTexts(config).some(({ text }) => hasInvisible(text))) risks.push({ code: "hidden", evidence: "" });
  return risks;
}

/** Patterns over the words of the command line, joined by single spaces. The first match is the evidence. */
const COMMAND_RISKS: readonly (readonly [code: LaunchRiskCode, pattern: RegExp])[] = [
  ["elevated", /(?:^|[\s/;&|])(?:sudo|doas|su|pkexec|runas|gsudo)(?=\s|$)/],
  [
    "shell",
    /(?:^|[\s/\\])(?:(?:ba|z|da|k|fi|c)?sh(?:\.exe)?\s+-\w*c(?=\s|$)|cmd(?:\.exe)?\s+\/[ck]|(?:powershell|pwsh)(?:\.exe)?\s.*?-(?:e|ec|enc\w*|c|command)(?=\s|$))/i,
  ],
  [
    "inline-code",
    /(?:^|[\s/\\])(?:(?:node|bun|deno|perl|ruby)(?:\.exe)?\s+(?:-e|-p|-r|--eval|--print|--require|--import|eval)|(?:python|pypy)[\d.]*(?:\.exe)?\s+-c|php\s+-r)(?=\s|=|$)/i,
  ],
  [
    "deletes",
    /(?:^|[\s;&|])(?:rm\s+(?:-\S+\s+)*-\w*[rf]\w*|del\s+\/\w|rmdir\s+\/s|remove-item\b.*-recurse|mkfs\S*|dd\s+.*of=\S+|shred\s)/i,
  ],
  [
    "download-and-run",
    /(?:curl|wget|iwr|invoke-webrequest|irm)\b.*(?:\|\s*(?:sudo\s+)?(?:\w*sh|node|python\w*|iex|invoke-expression)\b|\$\()|\b(?:iex|invoke-expression)\b|<\(\s*(?:curl|wget)|\$\(\s*(?:curl|wget)/i,
  ],
  [
    "container-host",
    /(?:docker|podman|nerdctl)\s.*(?:--privileged|--pid[= ]host|--(?:net|network)[= ]host|docker\.sock|(?:-v|--volume)[= ]\/:)/,
  ],
];

/** Variables with which loaders and runtimes can be made to run other code. */
const STEERING_VARIABLE =
  /^(?:PATH|LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_\w+|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|RUBYOPT|RUBYLIB|PERL5OPT|PERL5LIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH|GIT_SSH_COMMAND|npm_config_\w+|NPM_CONFIG_\w+|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|UV_INDEX_URL|UV_DEFAULT_INDEX)$/i;

function processRisks(config: StdioConfig): LaunchRisk[] {
  const risks: LaunchRisk[] = [];
  const line = [config.command, ...config.args].join(" ").slice(0, 20_000);
  for (const [code, pattern] of COMMAND_RISKS) {
    const evidence = pattern.exec(line)?.[0].trim();
    if (evidence !== undefined) risks.push({ code, evidence: evidence.slice(0, 80) });
  }
  if (isWorkspacePath(config.command)) risks.push({ code: "workspace-program", evidence: config.command });
  for (const name of Object.keys(config.env)) {
    if (STEERING_VARIABLE.test(name)) risks.push({ code: "steering-variable", evidence: name });
  }
  if (config.inheritEnv === true) risks.push({ code: "inherits-everything", evidence: "" });
  if (hasLookalike(config.command)) risks.push({ code: "lookalike", evidence: config.command });
  return risks;
}

/** A relative path, or one below the workspace: whoever wrote the workspace wrote the program. */
function isWorkspacePath(command: string): boolean {
  return command.startsWith("${workspaceFolder") || /^\.{1,2}[/\\]/.test(command);
}

function httpRisks(config: HttpConfig): LaunchRisk[] {
  const { proxy, tls } = config;
  const risks: LaunchRisk[] = [];
  if (typeof proxy === "string") risks.push({ code: "proxied", evidence: hostOf(proxy) });
  if (tls?.ca !== undefined) risks.push({ code: "own-authority", evidence: tls.ca.slice(0, 80) });
  if (!URL.canParse(config.url)) return risks;
  const url = new URL(config.url);
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    risks.push({ code: "plain-http", evidence: url.host });
  // The parser writes international names as xn--…, so the written form must be looked at too.
  if (/(?:^|\.)xn--/.test(url.hostname)) risks.push({ code: "lookalike", evidence: url.hostname });
  return risks;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address.slice(0, 80);
}

/** Letters of other scripts among Latin ones. */
function hasLookalike(text: string): boolean {
  return /[a-z]/i.test(text) && /(?=\p{L})[^\p{Script=Latin}]/u.test(text);
}
