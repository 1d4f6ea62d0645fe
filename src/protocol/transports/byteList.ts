/** So many small pieces are merged into one block, so that a trickle of single bytes stays cheap to hold. */
const MERGE_COUNT = 256;

/**
 * Bytes that arrive in pieces and are needed in one piece at the end.
 * Adding costs the same however much is held already: every byte is copied at most twice.
 */
export class ByteList {
  #blocks: Buffer[] = [];
  #recent: Buffer[] = [];
  #bytes = 0;

  /** How many bytes are held. */
  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    this.#recent.push(piece);
    if (this.#recent.length >= MERGE_COUNT) {
      this.#blocks.push(Buffer.concat(this.#recent));
      this.#recent = [];
    }
  }

  /** Everything in one piece; the list is empty afterwards. */
  take(): Buffer {
    const pieces = this.#blocks.length === 0 ? this.#recent : [...this.#blocks, ...this.#recent];
    const [only] = pieces;
    const whole = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, this.#bytes);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#blocks = [];
    this.#recent = [];
    this.#bytes = 0;
  }
}
