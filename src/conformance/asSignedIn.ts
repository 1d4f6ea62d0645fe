import type { AuthSession } from "../auth/model/authSession.ts";
import type { Connection } from "../protocol/connection.ts";
import { sampleArguments } from "./sampleArguments.ts";
import { callTool } from "./scenarios.ts";

/**
 * Does what a person does when the product says that it is not allowed: signs in when that is asked, allows more when
 * that is asked, each once, and does it again. Everything else, and a second refusal, fails.
 */
export async function asSignedIn<T>(
  session: AuthSession,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const done = new Set<string>();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { kind } = session.status;
      if (done.has(kind)) throw error;
      done.add(kind);
      if (kind === "needs-sign-in") await session.signIn({}, signal);
      else if (kind === "needs-scopes") await session.stepUp(signal);
      else throw error;
    }
  }
}

/** Connects, and calls each tool, as somebody who signs in when asked. */
export async function callAllSignedIn(
  session: AuthSession,
  signal: AbortSignal,
  open: () => Promise<Connection>,
): Promise<void> {
  const connection = await asSignedIn(session, signal, open);
  try {
    const { tools } = await asSignedIn(session, signal, () => connection.listTools());
    for (const { name, inputSchema } of tools)
      await asSignedIn(session, signal, () => callTool(connection, name, sampleArguments(inputSchema)));
  } finally {
    await connection.close();
  }
}
