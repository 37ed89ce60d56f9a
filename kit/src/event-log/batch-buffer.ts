import { charactersOf, type EventBatch, type LoggedEvent } from './event-table.ts';

/** How much is kept for readers that are a little behind. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** The latest batches of a log, numbered in order. The oldest are dropped. */
export class BatchBuffer<E extends LoggedEvent> {
  readonly #batches: EventBatch<E>[] = [];
  #characters = 0;
  #next = 0;

  /** The number of the next batch. */
  get next(): number {
    return this.#next;
  }

  get(number: number): EventBatch<E> | 'dropped' | undefined {
    if (number >= this.#next) return undefined;
    return this.#batches[number - (this.#next - this.#batches.length)] ?? 'dropped';
  }

  add(batch: EventBatch<E>): void {
    this.#batches.push(batch);
    this.#next++;
    this.#characters += charactersIn(batch);
    let count = 0;
    for (let left = this.#characters; left > MAX_CHARACTERS; count++)
      left -= charactersIn(this.#batches[count] as EventBatch<E>);
    this.#drop(count);
  }

  /** Drops all batches and one that was never kept, so that every reader finds its next batch dropped. */
  skip(): void {
    this.#drop(this.#batches.length);
    this.#next++;
  }

  #drop(count: number): void {
    for (const batch of this.#batches.splice(0, count)) this.#characters -= charactersIn(batch);
  }
}

function charactersIn({ events }: EventBatch<LoggedEvent>): number {
  return events.reduce((sum, event) => sum + charactersOf(event), 0);
}
