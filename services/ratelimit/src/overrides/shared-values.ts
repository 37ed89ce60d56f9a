/** Named values in the store that all replicas share. */
export interface SharedValues {
  /** Values in the order of their names, and the store's time in microseconds, read in one step. */
  read(
    names: readonly string[],
  ): Promise<{ readonly at_us: number; readonly values: readonly (Buffer | null)[] }>;
  /** Makes a change in one step, unless another one came first. Returns whether it was made. */
  swap(swap: Swap): Promise<boolean>;
}

export interface Swap {
  /** The value that each change replaces. */
  readonly guard: string;
  /** Its expected value; null: none. */
  readonly expected: Buffer | null;
  readonly next: SharedValue;
  /** Another value that changes with it. */
  readonly also?: { readonly name: string; readonly value: SharedValue | null };
}

export interface SharedValue {
  readonly bytes: Buffer;
  /** Milliseconds since the Unix epoch. */
  readonly expires_at_ms: number;
}
