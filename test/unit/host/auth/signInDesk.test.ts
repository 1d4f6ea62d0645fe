import assert from "node:assert/strict";
import { SignInDesk } from "../../../../src/host/auth/signInDesk.ts";

describe("sign-ins that wait for the browser", () => {
  let desk: SignInDesk;
  let end: AbortController;
  let changes: number;
  let watching: { dispose(): void };

  beforeEach(() => {
    desk = new SignInDesk();
    end = new AbortController();
    changes = 0;
    watching = desk.onDidChange(() => {
      changes += 1;
    });
  });
  afterEach(() => {
    watching.dispose();
    desk.dispose();
  });

  it("are there with their address while the signal lasts", () => {
    desk.noteAddress("files", "https://auth.example/?state=x", end.signal);
    assert.deepEqual(desk.waiting, [
      { serverName: "files", address: "https://auth.example/?state=x", takesAddress: false },
    ]);
    end.abort();
    assert.deepEqual(desk.waiting, []);
    assert.equal(changes, 2);
  });

  it("take one pasted address, and none after that", async () => {
    const pasted = desk.takeAddress("files", end.signal);
    assert.equal(desk.waiting[0]?.takesAddress, true);
    assert.equal(desk.paste("other", "http://127.0.0.1/?code=1"), false);
    assert.equal(desk.paste("files", "http://127.0.0.1/?code=1"), true);
    assert.equal(await pasted, "http://127.0.0.1/?code=1");
    assert.equal(desk.paste("files", "http://127.0.0.1/?code=2"), false);
    assert.deepEqual(desk.waiting, []);
  });

  // Attack: 31
  it("take nothing once the sign-in is over", async () => {
    const pasted = assert.rejects(desk.takeAddress("files", end.signal), /enough/);
    end.abort(new Error("enough"));
    await pasted;
    assert.equal(desk.paste("files", "http://127.0.0.1/?code=1"), false);
  });

  it("keep the newer of two of one server when the older ends", async () => {
    const first = assert.rejects(desk.takeAddress("files", end.signal));
    const second = desk.takeAddress("files", new AbortController().signal);
    desk.noteAddress("files", "https://one.example/", end.signal);
    desk.noteAddress("files", "https://two.example/", new AbortController().signal);
    end.abort();
    await first;
    assert.equal(desk.waiting[0]?.address, "https://two.example/");
    assert.ok(desk.paste("files", "http://x/"));
    assert.equal(await second, "http://x/");
  });

  it("refuse to begin with a signal that has ended", async () => {
    end.abort(new Error("over"));
    desk.noteAddress("files", "https://auth.example/", end.signal);
    await assert.rejects(desk.takeAddress("files", end.signal), /over/);
    assert.deepEqual(desk.waiting, []);
  });
});
