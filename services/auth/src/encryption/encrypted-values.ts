import type { Pool } from 'pg';
import type { SealedValue } from '../store/encrypted-value.ts';
import type { Seals } from './encryption.ts';

/** What a table keeps sealed: all that sealing it anew has to know. */
export interface SealedValues {
  readonly table: string;
  /** What the value of this account, or of this mail, is bound to. */
  context(id: string): string;
  /** Those that follow an ID, in the order of IDs; all of an ID come together. */
  page(db: Pool, after: string, limit: number): Promise<SealedValue[]>;
  /** Seals values anew where they are still what they were; gives those that were, as they were. */
  reseal(db: Pool, seals: Seals, values: readonly OpenedValue[]): Promise<Buffer[]>;
}

/** A sealed value, and what it says. */
export interface OpenedValue extends SealedValue {
  readonly text: string;
}
