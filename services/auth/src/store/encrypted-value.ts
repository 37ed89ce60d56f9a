/** A sealed value of a row, and the account or the mail that it belongs to. */
export interface SealedValue {
  readonly id: string;
  readonly sealed: Buffer;
}

/** The same value sealed anew. Sealing never gives the same bytes twice: the old ones name their row. */
export interface Replacement {
  readonly id: string;
  readonly before: Buffer;
  readonly after: Buffer;
}
