/** An encrypted value and the ID of its account or mail. */
export interface EncryptedValue {
  readonly id: string;
  readonly encrypted: Buffer;
}

/**
 * A value that was encrypted again under another key. Every encryption gives other bytes, so `before` identifies the
 * row.
 */
export interface Replacement {
  readonly id: string;
  readonly before: Buffer;
  readonly after: Buffer;
}
