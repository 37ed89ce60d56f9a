import { randomUUID } from 'node:crypto';
import type { IdentityReset } from './overrides.ts';
import type { Seal } from './seal.ts';
import { isEqual } from './shards.ts';

export interface LoggedReset extends IdentityReset {
  readonly id: string;
}

/** Far more than are made between two looks. */
const LENGTH = 256;

/** The latest resets, in a shared value: each replica makes those that the others have announced. */
export class ResetLog {
  readonly #seal: Seal;
  /** Undefined: it was not read yet. */
  #bytes: Buffer | null | undefined;
  #resets: readonly LoggedReset[] = [];
  /** Of a value that is not taken over, because another of its resets failed. */
  readonly #made = new Set<string>();

  constructor(seal: Seal) {
    this.#seal = seal;
  }

  /** The shared value, as this process has read it. */
  get bytes(): Buffer | null {
    return this.#bytes ?? null;
  }

  /** The same for all replicas that have read the same value. */
  lastId(): string {
    return this.#resets.at(-1)?.id ?? '';
  }

  /** The resets of a newer shared value that this process has not made; none at its start. */
  newIn(bytes: Buffer | null): readonly LoggedReset[] {
    if (this.#bytes === undefined || bytes === null || isEqual(this.#bytes, bytes)) return [];
    const known = new Set(this.#resets.map(({ id }) => id));
    return this.#read(bytes).filter(({ id }) => !known.has(id) && !this.#made.has(id));
  }

  /** Remembers that this process has made a reset of a value that it has not taken over yet. */
  note({ id }: LoggedReset): void {
    this.#made.add(id);
  }

  /** Takes the shared value over, once its resets are made. */
  apply(bytes: Buffer | null): void {
    if (this.#bytes !== undefined && isEqual(this.#bytes, bytes)) return;
    this.#bytes = bytes;
    this.#resets = bytes === null ? [] : this.#read(bytes);
    this.#made.clear();
  }

  /** The value with another reset. */
  with({ identity, bucket }: IdentityReset): Buffer {
    const entry: LoggedReset = { id: randomUUID(), identity, bucket };
    return this.#seal.seal([...this.#resets.slice(1 - LENGTH), entry]);
  }

  #read(bytes: Buffer): readonly LoggedReset[] {
    const opened = this.#seal.open(bytes);
    return Array.isArray(opened) ? (opened as readonly LoggedReset[]) : []; // a replica has sealed it
  }
}
