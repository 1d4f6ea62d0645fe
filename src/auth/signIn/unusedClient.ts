import type { EarlierClient } from "../registration/chooseClient.ts";

/**
 * The client of a sign-in that the person declined before any browser was opened. The next one takes it again, so that
 * not every look at the question leaves a registration behind. Once a browser was sent off with a client it is not
 * kept: what went wrong there may lie with that very client.
 */
export class UnusedClient {
  #client: EarlierClient | undefined;

  get client(): EarlierClient | undefined {
    return this.#client;
  }

  keep(client: EarlierClient): void {
    this.#client = client;
  }

  forget(): void {
    this.#client = undefined;
  }
}
