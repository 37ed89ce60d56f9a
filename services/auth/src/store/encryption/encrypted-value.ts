/** An encrypted value and the ID of the account or the mail that it belongs to. */
export interface EncryptedValue {
  readonly id: string;
  readonly encrypted: Buffer;
}

/** The same text under another key. Every encryption gives other bytes, so `before` identifies the row. */
export interface Replacement {
  readonly id: string;
  readonly before: Buffer;
  readonly after: Buffer;
}
