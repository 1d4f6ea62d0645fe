import { checkWorkloadAudience } from "../../../../src/auth/grants/checkWorkloadAudience.ts";
import { makeIssuer, makeSettings } from "../../../support/authFixtures.ts";
import { failsWith } from "../../../support/failsWith.ts";

function jwt(claims: unknown): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

describe("checkWorkloadAudience", () => {
  const issuer = makeIssuer();
  const good: readonly [name: string, assertion: string][] = [
    ["the issuer", jwt({ aud: "https://as.test" })],
    ["the issuer with a slash", jwt({ aud: "https://as.test/" })],
    ["the token endpoint", jwt({ aud: "https://as.test/token" })],
    ["one of several", jwt({ aud: ["https://other.test", "https://as.test"] })],
  ];
  for (const [name, assertion] of good) {
    it(`sends what is made out to ${name}`, () => {
      checkWorkloadAudience(makeSettings(), assertion, issuer);
    });
  }

  const bad: readonly [name: string, assertion: string][] = [
    ["another server", jwt({ aud: "https://other.test" })],
    ["a part of it", jwt({ aud: "https://as.test/tok" })],
    ["its name in another case", jwt({ aud: "https://AS.test" })],
    ["nobody", jwt({})],
    ["a number", jwt({ aud: 5 })],
    ["a list in a list", jwt({ aud: [["https://as.test"]] })],
    ["what is no object", jwt(["https://as.test"])],
    ["what is no JWT", "s3cret"],
  ];
  for (const [name, assertion] of bad) {
    it(`keeps back what is made out to ${name}`, async () => {
      const error = await failsWith("bad-settings", () =>
        checkWorkloadAudience(makeSettings(), assertion, issuer),
      );
      if (error.message.includes("s3cret")) throw new Error("it was shown");
    });

    it(`sends what is made out to ${name} where the settings name the issuer`, () => {
      checkWorkloadAudience(makeSettings({ overrides: { issuer: "https://as.test" } }), assertion, issuer);
    });
  }
});
