/** Modules inside of undici have no types of their own. */
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export = Client;
}
declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export = Pool;
}
declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  export = buildConnector;
}
declare module "undici/lib/api/api-connect.js" {
  import { type Dispatcher } from "undici";
  /** A client has one origin, which needs no mention. */
  function connect(
    this: Dispatcher,
    options: Omit<Dispatcher.ConnectOptions, "origin">,
  ): Promise<Dispatcher.ConnectData>;
  export = connect;
}
