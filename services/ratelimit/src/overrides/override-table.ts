import type { Rule } from '../reference/reference.ts';
import { overriddenRule, SLOWMODE } from './overridden-rule.ts';
import type { Override } from './override.ts';

/** An override, with the rules that it has replaced: each is made once, since stores compare rules by reference. */
interface Held {
  readonly override: Override;
  /** By the rule's index. */
  readonly rules: Map<number, Rule>;
}

/** In place of a bucket's name: all buckets. */
const ALL = '';

/** This process's overrides, for a look-up with every charge: without overrides it costs a comparison. */
export class OverrideTable {
  readonly #now_ms: () => number;
  /** By identity, then by bucket. */
  readonly #held = new Map<string, Map<string, Held>>();
  #size = 0;
  /** The next expiry, Infinity without one; undefined: it must be found again. */
  #nextExpiry_ms: number | undefined;

  /** @param now_ms the store's time */
  constructor(now_ms: () => number) {
    this.#now_ms = now_ms;
  }

  /** The number of overrides, with those that have expired and are not removed yet. */
  get size(): number {
    return this.#size;
  }

  /**
   * The rule that holds for a bucket with these identities: that of an override, or the given one. The first identity that has
   * an override decides; of its overrides, that of the bucket.
   */
  ruleFor(rule: Rule, identities: readonly string[]): Rule {
    if (this.#size === 0) return rule;
    for (const identity of identities) {
      const ofIdentity = this.#held.get(identity);
      if (ofIdentity === undefined) continue;
      const held = this.#live(ofIdentity.get(rule.name)) ?? this.#live(ofIdentity.get(ALL));
      if (held !== undefined) return ruleUnder(held, rule);
    }
    return rule;
  }

  /** An override that has not expired. */
  get(identity: string, bucket: string | undefined): Override | undefined {
    return this.#live(this.#held.get(identity)?.get(bucket ?? ALL))?.override;
  }

  /** Those of an identity that have not expired. */
  of(identity: string): Override[] {
    return this.#liveOnes([...(this.#held.get(identity)?.values() ?? [])]);
  }

  /** Those that have not expired. */
  all(): Override[] {
    return this.#liveOnes([...this.#held.values()].flatMap((ofIdentity) => [...ofIdentity.values()]));
  }

  /** When the next override expires; Infinity without one. Replicas with the same overrides have the same. */
  nextExpiry_ms(): number {
    if (this.#nextExpiry_ms === undefined || this.#nextExpiry_ms <= this.#now_ms())
      this.#nextExpiry_ms = this.all().reduce(
        (next, { expires_at_ms }) => Math.min(next, expires_at_ms),
        Number.POSITIVE_INFINITY,
      );
    return this.#nextExpiry_ms;
  }

  set(override: Override): void {
    this.#nextExpiry_ms = undefined;
    let ofIdentity = this.#held.get(override.identity);
    if (ofIdentity === undefined) {
      ofIdentity = new Map();
      this.#held.set(override.identity, ofIdentity);
    }
    if (!ofIdentity.has(override.bucket ?? ALL)) this.#size++;
    ofIdentity.set(override.bucket ?? ALL, { override, rules: new Map() });
  }

  delete({ identity, bucket }: Pick<Override, 'identity' | 'bucket'>): void {
    const ofIdentity = this.#held.get(identity);
    if (ofIdentity?.delete(bucket ?? ALL) !== true) return;
    this.#nextExpiry_ms = undefined;
    this.#size--;
    if (ofIdentity.size === 0) this.#held.delete(identity);
  }

  /** Removes those that have expired. */
  purge(): void {
    const held = [...this.#held.values()].flatMap((ofIdentity) => [...ofIdentity.values()]);
    for (const entry of held) if (this.#live(entry) === undefined) this.delete(entry.override);
  }

  #liveOnes(held: readonly Held[]): Override[] {
    return held.filter((entry) => this.#live(entry) !== undefined).map(({ override }) => override);
  }

  #live(held: Held | undefined): Held | undefined {
    return held !== undefined && held.override.expires_at_ms > this.#now_ms() ? held : undefined;
  }
}

function ruleUnder({ override, rules }: Held, rule: Rule): Rule {
  if (rule.name === SLOWMODE && override.quota !== undefined) return rule;
  const known = rules.get(rule.index);
  if (known?.overridden?.rule === rule) return known;
  const made = overriddenRule(rule, override);
  rules.set(rule.index, made);
  return made;
}
