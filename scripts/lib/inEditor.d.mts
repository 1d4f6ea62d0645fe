export function prepareFixtures(): Promise<readonly string[]>;
