import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";

import { NetError } from "../../../../src/net/netError.ts";
import type { Zone } from "../../../../src/net/zones.ts";
import { TestAuthority } from "../../../support/makeCertificates.ts";
import { knowing, pinnedNetwork, send } from "../../../support/pinnedHelpers.ts";

/** Where a server listens in each zone; the network of this program has all of these addresses. */
const PLACES: Readonly<Record<Zone, string>> = {
  public: "8.8.8.8",
  private: "10.1.2.3",
  loopback: "127.0.0.1",
  "link-local": "169.254.169.254",
};
const ZONES = Object.keys(PLACES) as Zone[];

/** What happened, for the test that runs this program. */
export interface ZonesReport {
  /** As in `public to private`: the status, or the code of the error. */
  readonly outcomes: Readonly<Record<string, number | string>>;
  readonly connections: Readonly<Record<Zone, number>>;
  /** First and second request to a name whose second answer is private; then the connections to each. */
  readonly rebinding: readonly (number | string)[];
  readonly redirected: number | string;
}

const authority = await TestAuthority.create();
const names = [...ZONES.map((zone) => `${zone}.test`), "rebinding.test"];
const certificate = await authority.issue({ names: [...names, ...Object.values(PLACES)] });
const counts = { public: 0, private: 0, loopback: 0, "link-local": 0 };
const port = 443;

async function listen(zone: Zone): Promise<Server> {
  const server = createServer(certificate, (request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: `https://${PLACES.private}/` });
    response.end(zone);
  });
  server.on("connection", () => (counts[zone] += 1));
  await new Promise<void>((resolve) => server.listen(port, PLACES[zone], resolve));
  if ((server.address() as AddressInfo).port !== port) throw new Error("It listens elsewhere");
  return server;
}

const servers = await Promise.all(ZONES.map(listen));
const network = pinnedNetwork({
  route: { tls: { ca: authority.cert } },
  resolve: knowing({
    ...Object.fromEntries(ZONES.map((zone) => [`${zone}.test`, [PLACES[zone]]])),
    "rebinding.test": [[PLACES.public], [PLACES.private]],
  }),
});

async function outcomeOf(url: string, from: Zone): Promise<number | string> {
  try {
    return (await send(network, url, { from, method: "POST", body: "x" })).status;
  } catch (error) {
    return error instanceof NetError ? error.code : String(error);
  }
}

const outcomes: Record<string, number | string> = {};
for (const from of ZONES) {
  for (const to of ZONES) {
    const byName = await outcomeOf(`https://${to}.test/`, from);
    const byAddress = await outcomeOf(`https://${PLACES[to]}/`, from);
    outcomes[`${from} to ${to}`] = byName === byAddress ? byName : `${byName}, ${byAddress}`;
  }
}
const connections = { ...counts };
const rebinding = [
  await outcomeOf("https://rebinding.test/", "public"),
  await outcomeOf("https://rebinding.test/", "public"),
  counts.public - connections.public,
  counts.private - connections.private,
];
const redirected = await outcomeOf("https://public.test/redirect", "public");
const report: ZonesReport = { outcomes, connections, rebinding, redirected };
process.stdout.write(JSON.stringify(report));
for (const server of servers) server.close();
