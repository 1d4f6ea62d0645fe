import { systemClock } from "./base/clock.ts";
import { errorText } from "./base/errors.ts";
import { isJsonObject, parseJson } from "./base/json.ts";
import type { Log } from "./base/log.ts";
import { openConnection } from "./client/openConnection.ts";
import { acceptDefaults } from "./conformance/acceptDefaults.ts";
import { callAllSignedIn } from "./conformance/asSignedIn.ts";
import { createAuthorization } from "./conformance/authorization.ts";
import { callAll, SCENARIOS } from "./conformance/scenarios.ts";
import { toConfig } from "./conformance/toConfig.ts";
import type { RequestAuthorizer } from "./net/requestAuthorizer.ts";
import type { Connection } from "./protocol/connection.ts";

/**
 * The client under test of the official conformance suite: the engine and nothing else.
 * The suite appends the server's URL and names the scenario in the environment.
 */
const WATCHDOG_MS = 45_000;

const log: Log = { write: (level, text) => process.stderr.write(`${level}: ${text}\n`) };

async function run(url: string): Promise<void> {
  const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
  const revision = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "";
  const given: unknown = parseJson(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
  const context = isJsonObject(given) ? given : {};
  const config = toConfig(url, revision);
  const { signal } = new AbortController();
  const open = (authorizer?: RequestAuthorizer): Promise<Connection> =>
    openConnection({
      config,
      ...(authorizer === undefined ? {} : { authorizer }),
      clientInfo: { name: "signalbox", title: "Signalbox", version: "0.1.0" },
      input: acceptDefaults,
      log,
      clock: systemClock,
      signal,
      remembered: undefined,
      newCallId: () => "unrelated",
    });
  if (scenario.startsWith("auth/")) {
    const session = await createAuthorization({ scenario, config, context, clock: systemClock, log });
    try {
      await session.load(signal);
      await callAllSignedIn(session, signal, () => open(session.authorizer));
    } finally {
      session.dispose();
    }
    return;
  }
  const connection = await open();
  try {
    await (SCENARIOS[scenario] ?? callAll)(connection, context);
  } finally {
    await connection.close();
  }
}

const watchdog = setTimeout(() => {
  process.stderr.write("The scenario took too long.\n");
  process.exit(97);
}, WATCHDOG_MS);

run(process.argv[2] ?? "").then(
  () => {
    clearTimeout(watchdog);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? errorText(error)) : String(error)}\n`);
    process.exit(1);
  },
);
