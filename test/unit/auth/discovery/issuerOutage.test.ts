import assert from "node:assert/strict";
import { registerClient } from "../../../../src/auth/registration/registerClient.ts";
import { findTarget } from "../../../../src/auth/signIn/findTarget.ts";
import { NetError } from "../../../../src/net/netError.ts";
import {
  answer,
  type FakeReply,
  FakeNetwork,
  makeContext,
  makeIssuer,
} from "../../../support/authFixtures.ts";
import { failsWith } from "../../../support/failsWith.ts";
import { Person } from "../../../support/signInBench.ts";

const MCP = "https://mcp.test/.well-known/oauth-protected-resource/mcp";
const RESOURCE = { resource: "https://mcp.test/mcp", authorization_servers: ["https://as.test"] };
const OAUTH = "https://as.test/.well-known/oauth-authorization-server";
const REGISTER = "https://as.test/register";

const FACTS = { challenge: undefined, wish: {}, before: undefined };
const failure = (code: NetError["code"]): NetError =>
  new NetError(code, { server: "demo", host: "as.test", reason: "a few words", seconds: 10 });

async function find(reply: FakeReply): Promise<unknown> {
  return findTarget(makeContext(new FakeNetwork({ [MCP]: RESOURCE, [OAUTH]: reply })), new Person(), FACTS);
}

async function register(reply: FakeReply): Promise<unknown> {
  const issuer = makeIssuer({ registrationEndpoint: REGISTER });
  return registerClient(makeContext(new FakeNetwork({ [REGISTER]: reply })), issuer, "http://127.0.0.1:1/x");
}

describe("an authorization server that is not there", () => {
  it("is told of as one, and not as a server that has to be started", async () => {
    for (const code of ["dns", "refused", "unreachable", "connect-closed", "reset"] as const)
      for (const step of [find, register]) {
        const error = await failsWith("issuer-unavailable", () => step(failure(code)));
        assert.equal(
          error.message,
          "The authorization server https://as.test of “demo” cannot be asked now: a few words",
        );
        assert.ok(error.cause instanceof NetError);
      }
    // The two that have no reason beside their words.
    const late = new NetError("answer-timeout", { server: "demo", host: "as.test", seconds: 10 });
    const error = await failsWith("issuer-unavailable", () => find(late));
    assert.match(error.message, /cannot be asked now: as\.test did not answer completely/);
  });

  it("is not suspected of refusing clients that register themselves when it is out of order", async () => {
    for (const status of [429, 502, 503, 504])
      await failsWith("issuer-unavailable", () => register(answer(status, "<html>")));
    await failsWith("registration-refused", () =>
      register(answer(400, '{"error":"invalid_client_metadata"}')),
    );
  });

  it("keeps what has a remedy of its own", async () => {
    for (const code of ["proxy-unreachable", "tls-self-signed", "zone-escalation"] as const) {
      const thrown = failure(code);
      await assert.rejects(find(thrown), (error) => error === thrown);
      await assert.rejects(register(thrown), (error) => error === thrown);
    }
  });
});
