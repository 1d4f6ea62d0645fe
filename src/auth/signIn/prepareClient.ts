import { AuthError } from "../authError.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import type { SignInPorts } from "../model/signInPorts.ts";
import { chooseClient, type EarlierClient } from "../registration/chooseClient.ts";
import { createAskedClient } from "../registration/createAskedClient.ts";
import { registerClient } from "../registration/registerClient.ts";
import type { AnswerDesk } from "./answerDesk.ts";
import { askPerson } from "./askPerson.ts";
import { type Door, openDoor } from "./openDoor.ts";
import { PLAIN_PATH, placeOfClient, randomPath, type WantedPlace } from "./redirectUri.ts";

/** What the client is chosen from. */
export interface ClientWish {
  readonly issuer: IssuerFacts;
  /** Undefined when a new registration is wanted. */
  readonly before: EarlierClient | undefined;
  /** Only the client of before will do: what it was given is to be added to. */
  readonly mustBeSame: boolean;
}

/**
 * Opens the door for the browser to come back to, and then comes to a client for which that is the right door: they
 * depend on each other. The door is open when this resolves, and the caller's to close.
 */
export async function prepareClient(
  context: AuthContext,
  ports: SignInPorts,
  wish: ClientWish,
  desk: AnswerDesk,
): Promise<{ readonly client: ClientFacts; readonly door: Door }> {
  const door = await openDoor(context, ports, wantedPlace(context, wish), desk);
  try {
    return { client: await findClient(context, ports, wish, door.redirectUri), door };
  } catch (error) {
    door.listener.dispose();
    throw error;
  }
}

/** Where the client that is likely to be used wants to be answered. */
function wantedPlace(
  { settings, clock }: AuthContext,
  { issuer, before, mustBeSame }: ClientWish,
): WantedPlace {
  const likely = before?.client.redirectUri ?? `http://${settings.redirectHost}${PLAIN_PATH}`;
  const choice = chooseClient(settings, issuer, before, likely, clock.now());
  switch (choice.kind) {
    case "use": {
      const place = placeOfClient(choice.client);
      // A client that registered itself cannot be answered elsewhere, so that with another port it is another client.
      const isBound = mustBeSame && choice.client.kind === "dcr" && place.port !== undefined;
      return { ...place, mustHavePort: isBound };
    }
    case "register":
      return { port: undefined, path: randomPath(), mustHavePort: false };
    case "ask":
      return { port: undefined, path: PLAIN_PATH, mustHavePort: false };
  }
}

async function findClient(
  context: AuthContext,
  ports: SignInPorts,
  { issuer, before, mustBeSame }: ClientWish,
  redirectUri: string,
): Promise<ClientFacts> {
  const { settings, clock } = context;
  const choice = chooseClient(settings, issuer, before, redirectUri, clock.now());
  if (mustBeSame && !(choice.kind === "use" && choice.client.id === before?.client.id))
    throw new AuthError("client-unusable", { server: settings.serverName });
  switch (choice.kind) {
    case "use":
      return choice.client;
    case "register":
      return registerClient(context, issuer, redirectUri);
    case "ask": {
      const answer = await askPerson(context, (signal) => ports.askClient({ issuer, redirectUri }, signal));
      if (answer === undefined) throw new AuthError("sign-in-declined", { server: settings.serverName });
      return { ...createAskedClient(settings, issuer, answer), redirectUri };
    }
  }
}
