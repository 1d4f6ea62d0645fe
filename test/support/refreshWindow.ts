/**
 * A window in a process of its own: it says `ready` when it has read what is stored, sends one request when it is told
 * to on standard input, and says what came of it. Arguments: the folder of credentials, the endpoint.
 */
import { once } from "node:events";
import { join } from "node:path";

import { createAuthSession } from "../../src/auth/session/createAuthSession.ts";
import { createFileCredentialStore } from "../../src/auth/store/fileCredentialStore.ts";
import { createFileLock } from "../../src/auth/store/fileLock.ts";
import { systemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { pinnedNetwork } from "./pinnedHelpers.ts";
import { SessionWindow, settingsFor } from "./sessionBench.ts";
import { Person } from "./signInBench.ts";
import { never } from "./transportHelpers.ts";

const [, , directory = "", address = ""] = process.argv;
const endpoint = new URL(address);
const network = pinnedNetwork({ serverName: "Files" });
const person = new Person();
const session = createAuthSession({
  settings: settingsFor(endpoint),
  scope: "user",
  installationId: "installation",
  network,
  store: createFileCredentialStore({ directory: join(directory, "credentials"), log: silentLog }),
  lock: createFileLock({ directory: join(directory, "locks") }),
  ports: person,
  clock: systemClock,
  log: silentLog,
  onSecret: () => undefined,
});
await session.load(never);
// The timers of the system clock do not keep a process alive, as in the editor.
const alive = setInterval(() => undefined, 1_000);
process.stdout.write("ready\n");
await once(process.stdin, "data");
const window = new SessionWindow(session, person, network, endpoint);
const result = await window.request().catch((error: unknown) => String(error));
process.stdout.write(`${result}\n`);
session.dispose();
clearInterval(alive);
process.stdin.destroy();
