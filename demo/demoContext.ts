import type { Conversation } from "./conversation.ts";
import type { DatabaseStore } from "./databaseStore.ts";

/** What every tool of the demo gets. */
export interface DemoContext {
  readonly store: DatabaseStore;
  readonly conversation: Conversation;
  /** The name of this process: shown in results, so that one can see which replica answered. */
  readonly replica: string;
  /** Tells subscribers that the set of databases changed. */
  readonly onDatabasesChanged: () => void;
}
