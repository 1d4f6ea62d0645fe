/** The server that a client of the benchmark is to reach. */
export type Target = {
  readonly era: "legacy" | "modern";
  /** What the client knows of the era before it connects; `auto` when it is left out. */
  readonly mode?: "auto" | "pinned" | "remembered";
} & (
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly sse: boolean }
);

/** What every client of the benchmark can do; each does it in its own way. */
export interface BenchClient {
  /** Lists all tools; answers their number. */
  list(): Promise<number>;
  call(tool: string, onProgress?: () => void): Promise<void>;
  close(): Promise<void>;
}
