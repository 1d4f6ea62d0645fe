#!/usr/bin/env node
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "./cli/main.ts";

process.exit(await main(process.argv.slice(2), dirname(dirname(fileURLToPath(import.meta.url)))));
