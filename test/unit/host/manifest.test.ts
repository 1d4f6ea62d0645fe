import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(import.meta.dirname, "..", "..", "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly icon: string;
  readonly main: string;
  readonly activationEvents: readonly string[];
  readonly categories: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly category: string;
      readonly icon?: string;
      readonly title: string;
    }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
    readonly viewsWelcome: readonly { readonly contents: string }[];
    readonly walkthroughs: readonly {
      readonly id: string;
      readonly steps: readonly {
        readonly id: string;
        readonly media: { readonly svg: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly configuration?: unknown;
  };
}

const text = read("package.json");
const manifest = JSON.parse(text) as Manifest;
const english = JSON.parse(read("package.nls.json")) as Readonly<Record<string, string>>;
const chinese = JSON.parse(read("package.nls.zh-cn.json")) as Readonly<Record<string, string>>;
const { commands, menus, walkthroughs, viewsWelcome } = manifest.contributes;
const declared = commands.map(({ command }) => command).sort();

/** The ids of the command table, read from its source: the type is gone at run time. */
function tableIds(): readonly string[] {
  const file = ts.createSourceFile(
    "table.ts",
    read("src/host/commands/table.ts"),
    ts.ScriptTarget.ESNext,
    true,
  );
  const ids: string[] = [];
  file.forEachChild((node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== "CommandTable") return;
    for (const member of node.members) {
      if (member.name !== undefined && ts.isStringLiteral(member.name)) ids.push(member.name.text);
    }
  });
  return ids.sort();
}

/** Commands of ours that a text links to. */
function linkedCommands(source: string): readonly string[] {
  return [...source.matchAll(/command:(signalbox\.\w+)/g)].map(([, id]) => id ?? "");
}

describe("the manifest", () => {
  it("declares exactly the commands of the table", () => {
    assert.ok(declared.length > 15);
    assert.deepEqual(declared, tableIds());
  });

  it("puts every command into the category of the extension", () => {
    assert.deepEqual([...new Set(commands.map(({ category }) => category))], ["Signalbox"]);
  });

  it("has an icon for every command, wherever a person puts it", () => {
    assert.deepEqual(
      commands.filter(({ icon }) => !/^\$\([a-z-]+\)$/.test(icon ?? "")).map(({ command }) => command),
      [],
    );
  });

  it("writes titles in title case, with dots where more is asked", () => {
    const small = /^(a|an|the|and|or|of|to|for|by|in|into|as|at|with|from)$/;
    for (const { title } of commands) {
      const words = (english[title.replaceAll("%", "")] ?? "").replace("…", "").split(" ");
      const wrong = words.filter((word, index) => /^[a-z]/.test(word) && (index === 0 || !small.test(word)));
      assert.deepEqual(wrong, [], words.join(" "));
      const isAsking = (texts: Readonly<Record<string, string>>): boolean =>
        texts[title.replaceAll("%", "")]?.endsWith("…") === true;
      assert.equal(isAsking(chinese), isAsking(english), title);
    }
  });

  it("groups what can be done in every menu of the tree in the same order", () => {
    const groups = (menus["view/item/context"] ?? []).map(({ group }) => group?.replace(/@.*/, "") ?? "");
    assert.deepEqual([...new Set(groups)].sort(), [
      "1_connection",
      "1_run",
      "1_signIn",
      "2_show",
      "2_use",
      "3_allow",
      "3_copy",
      "4_settings",
      "7_remove",
      "inline",
    ]);
  });

  it("offers to allow a language model where it is off, and to forbid it where it is on", () => {
    const offered = (value: string): readonly string[] =>
      (menus["view/item/context"] ?? [])
        .filter(({ group, when }) => {
          const pattern = /viewItem =~ \/(.*)\//.exec(when ?? "")?.[1] ?? "$^";
          return group?.startsWith("3_allow") === true && new RegExp(pattern).test(value);
        })
        .map(({ command }) => command.replace("signalbox.", ""));
    assert.deepEqual(offered("server.connected.http"), ["allowSampling", "chooseFolders"]);
    assert.deepEqual(offered("server.stopped.stdio.sampling"), ["forbidSampling", "chooseFolders"]);
    assert.deepEqual(offered("server.connected.http.auth-signedIn"), ["allowSampling", "chooseFolders"]);
    assert.deepEqual(offered("server.connected.http.sampling.auth-signedIn"), [
      "forbidSampling",
      "chooseFolders",
    ]);
    assert.deepEqual(offered("server.blocked.invalid"), []);
  });

  it("offers of the ways to sign in those that fit how a server is authorized", () => {
    const offered = (value: string, group: string): readonly string[] =>
      (menus["view/item/context"] ?? [])
        .filter((item) => {
          const pattern = /viewItem =~ \/(.*)\//.exec(item.when ?? "")?.[1] ?? "$^";
          return item.group?.startsWith(group) === true && new RegExp(pattern).test(value);
        })
        .map(({ command }) => command.replace("signalbox.", ""));
    const signIns = (value: string): readonly string[] => offered(value, "1_signIn");
    const ways = ["signIn", "signInWithScopes", "signInWithNewRegistration"];
    assert.deepEqual(signIns("server.stopped.http.auth-maySignIn"), ways);
    const again = [...ways, "signInWithAnotherAccount", "signOut"];
    assert.deepEqual(signIns("server.failed.http.auth-signInNeeded"), again);
    assert.deepEqual(signIns("server.connected.http.sampling.auth-signedIn"), again);
    assert.deepEqual(signIns("server.connected.http.auth-scopesNeeded"), [
      "signIn",
      "signInWithMoreScopes",
      ...again.slice(1),
    ]);
    assert.deepEqual(signIns("server.connecting.http.auth-signingIn"), [
      "pasteSignInAddress",
      "copySignInAddress",
    ]);
    for (const none of [
      "server.connected.http.auth-external",
      "server.connected.stdio",
      "server.disabled.http",
    ])
      assert.deepEqual(signIns(none), [], none);
    assert.deepEqual(offered("server.blocked.http.auth-signInNeeded", "inline@0"), ["signIn"]);
    assert.deepEqual(offered("server.connected.http.auth-scopesNeeded", "inline@0"), [
      "signInWithMoreScopes",
    ]);
    assert.ok(offered("server.connected.http.auth-external", "2_show").includes("showAuthorization"));
  });

  it("uses declared commands only in menus, welcome texts and the walkthrough", () => {
    const used = [
      ...Object.values(menus).flatMap((items) => items.map(({ command }) => command)),
      ...[...Object.values(english), ...Object.values(chinese)].flatMap(linkedCommands),
      ...[...text.matchAll(/"onCommand:(signalbox\.[^"]+)"/g)].map(([, id]) => id ?? ""),
    ];
    assert.deepEqual(
      used.filter((id) => !declared.includes(id)),
      [],
    );
  });

  it("leaves the palette to every command but the one that only links to another", () => {
    const hidden = menus["commandPalette"]
      ?.filter(({ when }) => when === "false")
      .map(({ command }) => command);
    assert.deepEqual(hidden, ["signalbox.manageTrust"]);
  });

  it("shows at most three actions in a row of the tree", () => {
    const states = ["disabled", "stopped", "blocked", "connecting", "connected", "failed"];
    const values = [
      ...states.flatMap((state) =>
        ["stdio", "http", "http.sampling", "http.auth-signInNeeded", "http.auth-scopesNeeded", "invalid"].map(
          (kind) => `server.${state}.${kind}`,
        ),
      ),
      "tool",
    ];
    for (const value of values) {
      const inline = (menus["view/item/context"] ?? []).filter(({ group, when }) => {
        const pattern = /viewItem =~ \/(.*)\//.exec(when ?? "")?.[1];
        return (
          group?.startsWith("inline") === true && pattern !== undefined && new RegExp(pattern).test(value)
        );
      });
      assert.ok(inline.length <= 3, `${value}: ${inline.map(({ command }) => command).join(", ")}`);
    }
  });

  it("offers connecting where it can work and disconnecting where it matters", () => {
    const offered = (value: string): readonly string[] =>
      (menus["view/item/context"] ?? [])
        .filter(({ group, when }) => {
          const pattern = /viewItem =~ \/(.*)\//.exec(when ?? "")?.[1] ?? "$^";
          return group?.startsWith("inline") === true && new RegExp(pattern).test(value);
        })
        .map(({ command }) => command.replace("signalbox.", ""));
    assert.deepEqual(offered("server.stopped.stdio"), ["connect"]);
    assert.deepEqual(offered("server.failed.http"), ["connect"]);
    assert.deepEqual(offered("server.failed.http.sampling"), ["connect"]);
    assert.deepEqual(offered("server.connecting.http"), ["disconnect"]);
    assert.deepEqual(offered("server.connected.stdio"), ["restart", "disconnect"]);
    assert.deepEqual(offered("server.disabled.stdio"), ["enable"]);
    assert.deepEqual(offered("server.blocked.invalid"), ["editServer"]);
    assert.deepEqual(offered("tool"), ["runTool"]);
  });

  it("has every text in both languages, with the same command links", () => {
    const keys = [...text.matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key ?? "");
    assert.ok(keys.length > 40);
    assert.deepEqual(
      keys.filter((key) => !(key in english)),
      [],
      "package.nls.json",
    );
    assert.deepEqual(
      keys.filter((key) => !(key in chinese)),
      [],
      "package.nls.zh-cn.json",
    );
    for (const key of keys) {
      assert.deepEqual(linkedCommands(chinese[key] ?? ""), linkedCommands(english[key] ?? ""), key);
    }
  });

  it("names files that exist", () => {
    const files = [
      manifest.icon,
      ...manifest.contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...Object.values(manifest.contributes.views).flatMap((views) => views.map(({ icon }) => icon)),
      ...walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
    ];
    assert.deepEqual(
      files.filter((file) => !existsSync(join(ROOT, file))),
      [],
    );
  });

  it("has a square icon of 256 pixels", () => {
    const png = readFileSync(join(ROOT, manifest.icon));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [256, 256]);
  });

  it("starts without being asked only after the editor has started", () => {
    assert.deepEqual(manifest.activationEvents, [
      "onStartupFinished",
      "onWebviewPanel:signalbox.toolRun",
      "onFileSystem:signalbox-resource",
    ]);
  });

  it("ignores in an untrusted workspace what could start something", () => {
    const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    for (const setting of ["signalbox.servers", "signalbox.inputs"])
      assert.ok(restricted.includes(setting), setting);
  });

  it("welcomes in every state of an empty view", () => {
    assert.equal(viewsWelcome.length, 2);
  });

  it("has a walkthrough of four to six steps that can each be completed", () => {
    const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    assert.ok(steps.length >= 4 && steps.length <= 6);
    assert.deepEqual(
      steps.filter(({ completionEvents }) => completionEvents.length === 0),
      [],
    );
  });
});
