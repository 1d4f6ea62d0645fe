export function packageExtension(file: string, folder?: string): Promise<readonly string[]>;
