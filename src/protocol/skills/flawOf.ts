import { EngineError } from "../engineError.ts";
import type { Skill } from "../model/skill.ts";
import { shorten } from "../shorten.ts";
import { MAX_SKILL_BYTES, MAX_SKILL_FILES } from "./skillsExtension.ts";

/**
 * Why nothing of a skill is read, by its entry alone: `skill-dynamic`, `skill-too-large` or `skill-invalid`.
 * Undefined when its files can be read and verified.
 */
export function flawOf({ name, flaw }: Skill, server: string): EngineError | undefined {
  const skill = shorten(name);
  switch (flaw?.kind) {
    case undefined:
      return undefined;
    case "dynamic":
      return new EngineError("skill-dynamic", { server, skill });
    case "too-large":
      return new EngineError("skill-too-large", {
        server,
        skill,
        files: flaw.files,
        bytes: flaw.bytes,
        maxFiles: MAX_SKILL_FILES,
        maxBytes: MAX_SKILL_BYTES,
      });
    case "invalid":
      return new EngineError("skill-invalid", { server, skill, reason: flaw.reason });
  }
}
