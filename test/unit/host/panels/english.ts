import { createTranslate } from "../../../../src/shared/translate.ts";

/** The words of the tests: English, with the arguments filled in. */
export const english = createTranslate({});
