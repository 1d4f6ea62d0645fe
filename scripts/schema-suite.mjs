#!/usr/bin/env node
// Runs the checks of src/protocol/schema against a checkout of the official JSON-Schema-Test-Suite (its folder is the
// argument). Its required tests for 2020-12 and draft-07 must hold, except for what is refused on purpose: schemas from
// the network, meta-schemas that are not built in, and `format` as a mere remark. Needs a Node that runs TypeScript.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { runMain } from "./lib/main.mjs";
import { fromRoot } from "./lib/paths.mjs";

const LIMITS = { schemaDepth: 64, schemaNodes: 10_000, schemaMs: 1_000 };
const DIALECTS = [
  { folder: "draft2020-12", $schema: "https://json-schema.org/draft/2020-12/schema" },
  { folder: "draft7", $schema: "http://json-schema.org/draft-07/schema#" },
];
const REFUSED = /Nothing was fetched|unknown dialect/;

function outcome(prepareSchema, schema, data) {
  const prepared = prepareSchema(schema, LIMITS);
  const verdict = prepared.kind === "usable" ? prepared.check(data) : prepared;
  return verdict.kind === "valid" ? true : verdict.kind === "invalid" ? false : verdict.reason.message;
}

/** The schema of a test as a tool would have it: an object that names its dialect. */
function asToolSchema(schema, $schema) {
  return typeof schema === "boolean" ? { $schema, allOf: [schema] } : { $schema, ...schema };
}

async function runDialect(prepareSchema, suite, { folder, $schema }) {
  const counts = { passed: 0, refused: 0, failed: 0 };
  const directory = path.join(suite, "tests", folder);
  for (const file of (await readdir(directory)).filter((name) => name.endsWith(".json"))) {
    for (const group of JSON.parse(await readFile(path.join(directory, file), "utf8"))) {
      for (const test of group.tests) {
        const got = outcome(prepareSchema, asToolSchema(group.schema, $schema), test.data);
        if (got === test.valid) counts.passed += 1;
        else if (REFUSED.test(String(got)) || file === "format.json") counts.refused += 1;
        else {
          counts.failed += 1;
          console.log(`${folder}/${file}: ${group.description}: ${test.description}: ${String(got)}`);
        }
      }
    }
  }
  console.log(
    `${folder}: ${counts.passed} passed, ${counts.refused} refused on purpose, ${counts.failed} failed`,
  );
  return counts.failed;
}

await runMain(async () => {
  const suite = process.argv[2];
  if (suite === undefined) throw new Error("Name the folder of a JSON-Schema-Test-Suite checkout.");
  const { prepareSchema } = await import(fromRoot("src", "protocol", "schema", "prepareSchema.ts"));
  let failed = 0;
  for (const dialect of DIALECTS) failed += await runDialect(prepareSchema, suite, dialect);
  return failed === 0 ? 0 : 1;
});
