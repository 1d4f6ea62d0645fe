import { diffLaunch, type LaunchField, type LaunchLine, describeLaunch } from "../../client/approval.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import { LAUNCH_RISKS, launchRisks } from "../../client/launchRisks.ts";
import type { ServerConfig } from "../../client/serverConfig.ts";
import type { Translate } from "../../shared/translate.ts";

/** What a dialog can show before its buttons leave the screen. */
const MAX_LINES = 30;
const MAX_LENGTH = 2_400;

/** The question before a server of a workspace runs for the first time. */
export interface ApprovalText {
  readonly title: string;
  /** Everything that decides what runs and where data goes, with what is risky and what has changed. */
  readonly detail: string;
  /** False when the detail is too long for a dialog and must be read in an editor first. */
  readonly fitsDialog: boolean;
}

/** Puts the question into words. `approved` is what was allowed last time, when it has changed since. */
export function approvalText(
  config: ServerConfig,
  approved: readonly LaunchLine[] | undefined,
  t: Translate,
): ApprovalText {
  const server = showInvisible(config.id);
  const title =
    approved === undefined
      ? t("This workspace defines the MCP server “{server}”. Allow it?", { server })
      : t("The MCP server “{server}” of this workspace has changed. Allow it again?", { server });
  const risks = launchRisks(config).map(
    ({ code, evidence }) => `⚠ ${t(LAUNCH_RISKS[code], { evidence: showInvisible(evidence) })}`,
  );
  const changes = approved === undefined ? [] : describeChanges(approved, config, t);
  const lines = [
    config.type === "stdio"
      ? t("This program will be started on your machine:")
      : t("Data will be sent to this address:"),
    ...describeLaunch(config).map((line) => launchLine(line, t)),
    ...(risks.length === 0 ? [] : ["", ...risks]),
    ...(changes.length === 0 ? [] : ["", t("What has changed:"), ...changes]),
  ];
  const detail = lines.join("\n");
  return { title, detail, fitsDialog: lines.length <= MAX_LINES && detail.length <= MAX_LENGTH };
}

function launchLine({ field, name, text }: LaunchLine, t: Translate): string {
  const label = fieldWords(field, t);
  if (name === undefined) return `${label}: ${text}`;
  return text === "" ? `${label}: ${t("{name} is removed", { name })}` : `${label}: ${name} = ${text}`;
}

function describeChanges(
  approved: readonly LaunchLine[],
  config: ServerConfig,
  t: Translate,
): readonly string[] {
  return diffLaunch(approved, config).flatMap(({ field, name, before, after }) => {
    const label = name === undefined ? fieldWords(field, t) : `${fieldWords(field, t)} ${name}`;
    return [
      ...(before === undefined ? [] : [`− ${label}: ${before}`]),
      ...(after === undefined ? [] : [`+ ${label}: ${after}`]),
    ];
  });
}

function fieldWords(field: LaunchField, t: Translate): string {
  switch (field) {
    case "command":
      return t("Command");
    case "cwd":
      return t("Working directory");
    case "env":
      return t("Variable");
    case "envFile":
      return t("File with variables");
    case "inheritEnv":
      return t("Inherited variables");
    case "url":
      return t("Address");
    case "headers":
      return t("Header");
    case "proxy":
      return t("Proxy");
    case "tls":
      return t("Certificates");
    case "oauth":
      return t("Sign-in");
  }
}
