/**
 * Connections that have not identified, grouped by address. When slots run out, the oldest connection of the largest group
 * makes room.
 */
export class UnidentifiedConnections<C> {
  readonly #groups = new Map<string, Set<C>>();
  /** The groups of each size. */
  readonly #bySize = new Map<number, Set<string>>();
  #largest = 0;

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

  oldestOf(group: string): C | undefined {
    return this.#groups.get(group)?.values().next().value;
  }

  oldestOfLargest(): C | undefined {
    const [group] = this.#bySize.get(this.#largest) ?? [];
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
    // Sizes change by one, so the largest size does too.
    if (to > this.#largest) this.#largest = to;
    else if (this.#largest === from && !this.#bySize.has(from)) this.#largest = to;
  }
}
