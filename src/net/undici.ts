// The parts that are used and no others: the package as a whole brings `fetch`, WebSockets and caches with it, which
// take three times as long to load. `undici.test.ts` holds that these are what the package itself exports.
export { default as Client } from "undici/lib/dispatcher/client.js";
export { default as Pool } from "undici/lib/dispatcher/pool.js";
export { default as buildConnector } from "undici/lib/core/connect.js";
/** The method `connect` of a client, which the package as a whole gives to it. */
export { default as connect } from "undici/lib/api/api-connect.js";
