/** How the demo was asked to run. */
export type CliOptions =
  | { readonly mode: "stdio" }
  | { readonly mode: "http"; readonly port: number; readonly replicas: number; readonly control: boolean }
  /** A child of the HTTP mode; never typed by a person. */
  | { readonly mode: "replica"; readonly name: string }
  | { readonly mode: "help"; readonly problem: string | undefined };

/** Shown for `--help` and, with the problem first, for arguments that make no sense. */
export const USAGE = `Usage: demo --stdio
       demo --http PORT [--replicas N] [--control]

  --stdio       serve one client on standard input and output
  --http PORT   serve on 127.0.0.1; 0 picks a free port, the address is printed on stderr
  --replicas N  processes behind the port, 1 to 9 (default 2)
  --control     read the commands "kill A", "start A", "status" and "stop" from standard input;
                the end of standard input stops the server
`;

const MAX_REPLICAS = 9;

/** Reads the command line (without node and the script). Never throws: what is wrong is in `problem`. */
export function parseCliOptions(args: readonly string[]): CliOptions {
  const [first, ...rest] = args;
  if (first === undefined || first === "--help") return { mode: "help", problem: undefined };
  if (first === "--stdio") return rest.length === 0 ? { mode: "stdio" } : unexpected(rest);
  if (first === "--replica") return parseReplica(rest);
  if (first === "--http") return parseHttp(rest);
  return unexpected(args);
}

function parseReplica(rest: readonly string[]): CliOptions {
  const [name, ...more] = rest;
  if (name === undefined) return { mode: "help", problem: "--replica needs a name." };
  return more.length === 0 ? { mode: "replica", name } : unexpected(more);
}

function parseHttp(rest: readonly string[]): CliOptions {
  const [portText, ...flags] = rest;
  const port = readInteger(portText, 0, 65_535);
  if (port === undefined) return { mode: "help", problem: "--http needs a port from 0 to 65535." };
  let replicas = 2;
  let control = false;
  const queue = [...flags];
  for (let flag = queue.shift(); flag !== undefined; flag = queue.shift()) {
    if (flag === "--control") {
      control = true;
    } else if (flag === "--replicas") {
      const count = readInteger(queue.shift(), 1, MAX_REPLICAS);
      if (count === undefined) return { mode: "help", problem: "--replicas needs a number from 1 to 9." };
      replicas = count;
    } else {
      return unexpected([flag]);
    }
  }
  return { mode: "http", port, replicas, control };
}

function readInteger(text: string | undefined, minimum: number, maximum: number): number | undefined {
  if (text === undefined || !/^\d{1,5}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= minimum && value <= maximum ? value : undefined;
}

function unexpected(args: readonly string[]): CliOptions {
  return { mode: "help", problem: `Unexpected argument: ${args[0] ?? ""}` };
}
