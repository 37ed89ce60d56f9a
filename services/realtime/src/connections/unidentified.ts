/**
 * Connections that have not identified, by the group of their address. One of them makes room when places run out: the
 * oldest of the group that has most of them.
 */
export class Unidentified<C> {
  readonly #groups = new Map<string, Set<C>>();
  /** By how many connections they have. */
  readonly #bySize = new Map<number, Set<string>>();
  #most = 0;

  add(group: string, connection: C): void {
    const members = this.#groups.get(group) ?? new Set();
    if (members.has(connection)) return;
    this.#groups.set(group, members);
    this.#resized(group, members.size, members.size + 1);
    members.add(connection);
  }

  remove(group: string, connection: C): void {
    const members = this.#groups.get(group);
    if (members?.delete(connection) !== true) return;
    this.#resized(group, members.size + 1, members.size);
    if (members.size === 0) this.#groups.delete(group);
  }

  /** The oldest of this group. */
  oldestOf(group: string): C | undefined {
    return this.#groups.get(group)?.values().next().value;
  }

  /** The oldest of the group that has most. */
  oldestOfLargest(): C | undefined {
    const [group] = this.#bySize.get(this.#most) ?? [];
    return group === undefined ? undefined : this.oldestOf(group);
  }

  #resized(group: string, from: number, to: number): void {
    const former = this.#bySize.get(from);
    former?.delete(group);
    if (former?.size === 0) this.#bySize.delete(from);
    if (to > 0) {
      const present = this.#bySize.get(to) ?? new Set();
      this.#bySize.set(to, present.add(group));
    }
    // One connection more or less at a time: the largest group is never far.
    if (to > this.#most) this.#most = to;
    else if (this.#most === from && !this.#bySize.has(from)) this.#most = to;
  }
}
