import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../src/base/json.ts";
import { fillTemplate } from "../../../src/base/errors.ts";
import { type ImportedServer, importServers } from "../../../src/client/importServers.ts";
import { parseServer } from "../../../src/client/parseServers.ts";

function serversIn(text: string): readonly ImportedServer[] {
  const result = importServers(text);
  if (result.kind === "failed") assert.fail(fillTemplate(result.problem.template, result.problem.args));
  for (const { name, entry } of result.servers) {
    assert.ok(parseServer(name, entry, "user").config, `${name} is not usable: ${JSON.stringify(entry)}`);
  }
  return result.servers;
}

function only(text: string): ImportedServer {
  const servers = serversIn(text);
  assert.equal(servers.length, 1);
  return servers[0] as ImportedServer;
}

function failureOf(text: string): string {
  const result = importServers(text);
  if (result.kind === "servers") assert.fail(JSON.stringify(result.servers));
  return fillTemplate(result.problem.template, result.problem.args);
}

const NPX: JsonObject = { type: "stdio", command: "npx", args: ["-y", "demo-server"] };

describe("importServers", () => {
  const json = '{ "command": "npx", "args": ["-y", "demo-server"] }';
  const shapes: readonly (readonly [what: string, text: string, name: string])[] = [
    ["the map of Claude, Cursor and others", `{"mcpServers":{"a":${json}}}`, "a"],
    ["the file of VS Code", `{"servers":{"a":${json}},"inputs":[]}`, "a"],
    ["the old settings of VS Code", `{"mcp":{"servers":{"a":${json}}}}`, "a"],
    ["our own settings", `{"signalbox.servers":{"a":${json}}}`, "a"],
    ["a bare map", `{"a":${json}}`, "a"],
    ["a piece of a map", `"a": ${json},`, "a"],
    ["an entry with its name in it", `{"name":"a","command":"npx","args":["-y","demo-server"]}`, "a"],
    ["an entry without a name", json, "demo"],
    [
      "comments, trailing commas, a byte-order mark and CRLF",
      `\uFEFF// mine\r\n{\r\n  "servers": { /* b: */ "a": ${json}, },\r\n}`,
      "a",
    ],
    [
      "a fenced block in Markdown",
      `# Use\n\nAdd this:\n\n~~~~jsonc\n{ "mcpServers": { "a": ${json} } }\n~~~~\nDone.`,
      "a",
    ],
    [
      "the second block when the first holds none",
      '```sh\nls -l\n```\n\n```json\n{"a":' + json + "}\n```",
      "a",
    ],
    ["an object inside prose", `Put {"a": ${json}} into the file.`, "a"],
    ["a piece inside prose", `Then add\n  "a": ${json}\nto it.`, "a"],
    ["a command", "npx -y demo-server", "demo"],
    ["a command with a prompt and continued lines", "# install\n$ npx -y \\\n    demo-server", "demo"],
    ["the command of Claude Code", "claude mcp add a -- npx -y demo-server", "a"],
    ["the command of Claude Code without dashes", "claude mcp add --scope user a npx -y demo-server", "a"],
    ["the JSON command of Claude Code", `claude mcp add-json a '${json}'`, "a"],
    [
      "the option of VS Code",
      `code --add-mcp '{"name":"a","command":"npx","args":["-y","demo-server"]}'`,
      "a",
    ],
    [
      "a link to VS Code",
      `vscode:mcp/install?${encodeURIComponent('{"name":"a","command":"npx","args":["-y","demo-server"]}')}`,
      "a",
    ],
    [
      "a link by way of the web",
      `https://insiders.vscode.dev/redirect/mcp/install?name=a&config=${encodeURIComponent(json)}`,
      "a",
    ],
    ["a link to Cursor", `cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${btoa(json)}`, "a"],
    [
      "Zed's nested command",
      `{"context_servers":{"a":{"command":{"path":"npx","args":["-y","demo-server"],"env":{}},"settings":{}}}}`,
      "a",
    ],
    [
      "OpenCode's list",
      `{"mcp":{"a":{"type":"local","command":["npx","-y","demo-server"],"enabled":true}}}`,
      "a",
    ],
    ["a whole command line in the command", `{"mcpServers":{"a":{"command":"npx -y demo-server"}}}`, "a"],
  ];
  for (const [what, text, name] of shapes) {
    it(`reads ${what}`, () => {
      const server = only(text);
      assert.equal(server.name, name);
      assert.deepEqual(server.entry, NPX);
      assert.deepEqual(server.secrets, []);
    });
  }

  const remotes: readonly (readonly [text: string, name: string])[] = [
    ["https://mcp.demo.test/mcp", "demo"],
    ["<https://mcp.demo.test/mcp>", "demo"],
    ['{"mcpServers":{"a":{"serverUrl":"https://mcp.demo.test/mcp"}}}', "a"],
    ['{"mcpServers":{"a":{"httpUrl":"https://mcp.demo.test/mcp"}}}', "a"],
    ['{"mcpServers":{"a":{"type":"streamable-http","url":"https://mcp.demo.test/mcp"}}}', "a"],
    ['{"mcp":{"a":{"type":"remote","url":"https://mcp.demo.test/mcp"}}}', "a"],
    ["claude mcp add --transport http a https://mcp.demo.test/mcp", "a"],
    ["codex mcp add a --url https://mcp.demo.test/mcp", "a"],
  ];
  for (const [text, name] of remotes) {
    it(`reads the address in ${text}`, () => {
      const server = only(text);
      assert.deepEqual(
        [server.name, server.entry],
        [name, { type: "http", url: "https://mcp.demo.test/mcp" }],
      );
    });
  }

  const names: readonly (readonly [command: string, name: string])[] = [
    ["npx -y @modelcontextprotocol/server-filesystem /tmp", "filesystem"],
    ["npx @upstash/context7-mcp@latest", "context7"],
    ["uvx mcp-server-git --repository .", "git"],
    ["uvx --from git+https://git.test/x/wiki-mcp wiki", "wiki"],
    ["python -m mcp_server_time", "time"],
    ["uv --directory /abs/weather run weather.py", "weather"],
    ["node /x/weather/dist/index.js", "weather"],
    ["docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:1.2", "github"],
    ["/opt/bin/tool", "tool"],
  ];
  for (const [command, name] of names) {
    it(`names the server of ${command}`, () => {
      assert.equal(only(command).name, name);
    });
  }

  it("takes several servers and keeps their names apart", () => {
    assert.deepEqual(
      serversIn('{"servers":{"a":{"command":"x"},"b":{"url":"https://b.test"},"note":"text"}}').map(
        (server) => server.name,
      ),
      ["a", "b"],
    );
  });

  it("takes secrets out of variables, headers, arguments and the query", () => {
    const text = `{"mcpServers":{"git hub":{"command":"x","args":["--api-key","k-123456","--token=t-123456","--port","80","postgres://u:pw@h/db"],
      "env":{"GITHUB_TOKEN":"ghp_abc","API_KEY":"k2-123456","MAX_TOKENS":"4096","KEY_FILE":"/x/key","CREDENTIALS":"/x/c.json","REGION":"sk-live","DATABASE_URL":"mysql://u:pw@h"}}}}`;
    const { entry, secrets } = only(text);
    assert.deepEqual(entry["args"], [
      ...[
        "--api-key",
        "${secret:GIT_HUB_API_KEY_2}",
        "--token=${secret:GIT_HUB_TOKEN}",
        "--port",
        "80",
        "${secret:GIT_HUB_CONNECTION}",
      ],
    ]);
    assert.deepEqual(entry["env"], {
      GITHUB_TOKEN: "${secret:GITHUB_TOKEN}",
      API_KEY: "${secret:GIT_HUB_API_KEY}",
      MAX_TOKENS: "4096",
      KEY_FILE: "/x/key",
      CREDENTIALS: "/x/c.json",
      REGION: "${secret:REGION}",
      DATABASE_URL: "${secret:DATABASE_URL}",
    });
    assert.equal(
      new Map(secrets.map(({ name, value }) => [name, value])).get("GIT_HUB_API_KEY"),
      "k2-123456",
    );
    const remote = only(
      '{"url":"https://h.test/mcp?api_key=q-123456&x=1","headers":{"Authorization":"Bearer b-123456","X-Team":"blue"}}',
    );
    assert.equal(remote.entry["url"], "https://h.test/mcp?api_key=${secret:H_API_KEY}&x=1");
    assert.deepEqual(remote.entry["headers"], {
      Authorization: "Bearer ${secret:H_TOKEN}",
      "X-Team": "blue",
    });
    assert.deepEqual(remote.secrets, [
      { name: "H_TOKEN", value: "b-123456" },
      { name: "H_API_KEY", value: "q-123456" },
    ]);
  });

  for (const standIn of ["YOUR_API_KEY", "<your token>", "xxxx", "...", "", "your-key-here", "sk-..."]) {
    it(`asks for a secret that is only ${JSON.stringify(standIn)}`, () => {
      const { entry, secrets } = only(JSON.stringify({ a: { command: "x", env: { DEMO_TOKEN: standIn } } }));
      assert.deepEqual(entry["env"], { DEMO_TOKEN: "${secret:DEMO_TOKEN}" });
      assert.deepEqual(secrets, [{ name: "DEMO_TOKEN", value: undefined }]);
    });
  }

  it("gives servers with different values different secrets, and overwrites none that exists", () => {
    const text =
      '{"a":{"command":"x","env":{"DEMO_TOKEN":"one"}},"b":{"command":"x","env":{"DEMO_TOKEN":"one"}},"c":{"command":"x","env":{"DEMO_TOKEN":"two"}}}';
    assert.deepEqual(
      serversIn(text).map((server) => server.secrets.map(({ name }) => name)),
      [["DEMO_TOKEN"], ["DEMO_TOKEN"], ["C_DEMO_TOKEN"]],
    );
    const result = importServers(text, new Set(["DEMO_TOKEN"]));
    assert.ok(result.kind === "servers");
    assert.deepEqual(result.servers[0]?.secrets, [{ name: "A_DEMO_TOKEN", value: "one" }]);
  });

  it("keeps placeholders, the inputs they need and the variables of other clients", () => {
    const { entry, inputs, secrets, warnings } = only(
      '{"servers":{"s":{"command":"${env:BIN}/x","env":{"TOKEN":"${input:t}","A_KEY":"${A_KEY}","B":"${B:-b}"}}},"inputs":[{"id":"t","type":"promptString","password":true},{"id":"u","type":"promptString"}]}',
    );
    assert.deepEqual(entry["env"], { TOKEN: "${input:t}", A_KEY: "${env:A_KEY}", B: "${env:B}" });
    assert.deepEqual(inputs, [{ id: "t", type: "promptString", password: true }]);
    assert.deepEqual(secrets, []);
    assert.deepEqual(
      warnings.map((note) => fillTemplate(note.template, note.args)),
      ["The default value in ${B:-b} was left out."],
    );
  });

  it("says what it left out, approvals above all", () => {
    const { entry, warnings } = only(
      '{"a":{"command":"x","autoApprove":["rm"],"trust":true,"timeout":30000,"dev":{"watch":"*"},"disabled":true,"includeTools":["t"]}}',
    );
    assert.deepEqual(entry, {
      type: "stdio",
      command: "x",
      timeouts: { request: 30 },
      disabled: true,
      tools: ["t"],
    });
    assert.deepEqual(
      warnings.map((note) => note.args["key"]),
      ["autoApprove", "trust", "dev"],
    );
    assert.match(only("https://a.test/sse").warnings[0]?.template ?? "", /HTTP\+SSE/);
  });

  it("reads the options of add commands", () => {
    const added = only('claude mcp add -t http -H "X-Team: blue" --header=X-B:2 a https://a.test/mcp');
    assert.deepEqual(added.entry, {
      type: "http",
      url: "https://a.test/mcp",
      headers: { "X-Team": "blue", "X-B": "2" },
    });
    const started = only("gemini mcp add -e A=1 --env=B=2 a ./run -e kept");
    assert.deepEqual(started.entry, {
      type: "stdio",
      command: "./run",
      args: ["-e", "kept"],
      env: { A: "1", B: "2" },
    });
    assert.deepEqual(only("env A=1 B='x y' npx p").entry, {
      type: "stdio",
      command: "npx",
      args: ["p"],
      env: { A: "1", B: "x y" },
    });
  });

  const failures: readonly (readonly [text: string, expected: RegExp])[] = [
    ["", /nothing to import/],
    ["hello world", /No server was found/],
    ["{}", /holds no servers/],
    ['{"mcpServers":{}}', /holds no servers/],
    ['{"a": {"command": }}', /line 1, column 19/],
    ['{\n  "a": {\n    "command" "x"\n  }\n}', /line 3/],
    ['[mcp_servers.a]\ncommand = "x"', /TOML/],
    ["mcpServers:\n  a:\n    command: x", /YAML/],
    ["npx a | tee b", /needs a shell because of \|/],
    ["npx a && npx b", /because of &&/],
    ["npx 'a", /not closed/],
    ["claude mcp add", /No server was found/],
    ["claude mcp add --scope user", /names no server/],
    ["claude mcp add-json a nonsense", /names no server/],
    ["[1,2]", /holds no servers/],
    ["x".repeat(1_000_001), /longer than/],
  ];
  for (const [text, expected] of failures) {
    it(`explains why ${JSON.stringify(text.slice(0, 40))} gives nothing`, () => {
      assert.match(failureOf(text), expected);
    });
  }
});
