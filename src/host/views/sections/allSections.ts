import { skillsSection } from "../../skills/skillsSection.ts";
import { tasksSection } from "../../tasks/tasksSection.ts";
import { promptsSection } from "./promptsSection.ts";
import { resourcesSection } from "./resourcesSection.ts";
import type { Section } from "./section.ts";
import { templatesSection } from "./templatesSection.ts";
import { toolsSection } from "./toolsSection.ts";

/** What a connected server can have, in the order in which the tree shows it. */
export const ALL_SECTIONS: readonly Section[] = [
  toolsSection,
  resourcesSection,
  templatesSection,
  promptsSection,
  skillsSection,
  tasksSection,
];
