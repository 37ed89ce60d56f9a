import { randomUUID } from 'node:crypto';
import type { IdentityReset } from './overrides.ts';
import type { Seal } from './seal.ts';
import { isEqual } from './shards.ts';

interface LoggedReset extends IdentityReset {
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

  /** Takes the shared value over. Returns the resets that are new in it; none at the start of this process. */
  apply(bytes: Buffer | null): readonly IdentityReset[] {
    if (this.#bytes !== undefined && isEqual(this.#bytes, bytes)) return [];
    const isFirst = this.#bytes === undefined;
    const known = new Set(this.#resets.map(({ id }) => id));
    this.#bytes = bytes;
    this.#resets = bytes === null ? [] : this.#read(bytes);
    return isFirst ? [] : this.#resets.filter(({ id }) => !known.has(id));
  }

  /** The value with another reset. */
  with({ identity, bucket }: IdentityReset): Buffer {
    const entry: LoggedReset = { id: randomUUID(), identity, bucket };
    return this.#seal.close([...this.#resets.slice(1 - LENGTH), entry]);
  }

  #read(bytes: Buffer): readonly LoggedReset[] {
    const opened = this.#seal.open(bytes);
    return Array.isArray(opened) ? (opened as readonly LoggedReset[]) : []; // a replica has sealed it
  }
}
