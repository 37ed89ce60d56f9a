/** Mistakes in the sources of the document. All are reported together, each with its place. */
export class Problems {
  readonly #lines = new Set<string>();

  /** @param place a file with a member, or a route */
  add(place: string, problem: string): void {
    this.#lines.add(`${place}: ${problem}`);
  }

  lines(): string[] {
    return [...this.#lines];
  }

  /** @throws Error with a line for each problem */
  throwIfAny(): void {
    if (this.#lines.size > 0) throw new Error(this.lines().join('\n'));
  }
}
