import type { Override } from './override.ts';
import type { OverrideTable } from './override-table.ts';

/** A reset of an identity's buckets, which all replicas make. */
export interface IdentityReset {
  readonly identity: string;
  /** The name of a row; undefined: all buckets. */
  readonly bucket: string | undefined;
}

/** The overrides of the store: those of this process's memory, or those that all replicas share. */
export interface Overrides {
  /** This process's copy, for checks. */
  readonly table: OverrideTable;
  /** Milliseconds since the Unix epoch, by the clock that ends overrides. */
  now_ms(): number;
  /**
   * Those that have not expired, as of now in the store.
   *
   * @throws Fault UNAVAILABLE
   */
  list(): Promise<readonly Override[]>;
  /**
   * Sets an override. Returns the one that it replaces.
   *
   * @throws TOO_MANY_OVERRIDES, UNREADABLE_OVERRIDES, Fault UNAVAILABLE
   */
  set(override: Override): Promise<Override | undefined>;
  /**
   * Ends an override. Returns it, if there was one.
   *
   * @throws UNREADABLE_OVERRIDES, Fault UNAVAILABLE
   */
  remove(identity: string, bucket: string | undefined): Promise<Override | undefined>;
  /**
   * Call it after buckets were emptied here: the other replicas empty theirs, and all remembered denials end.
   *
   * @throws Fault UNAVAILABLE
   */
  announceReset(reset: IdentityReset): Promise<void>;
  /**
   * Changes when remembered denials end early: with each override that begins, changes or ends, by its expiry too, and with
   * each reset. Undefined while the store has not answered yet.
   */
  denialsVersion(): string | undefined;
}
