import type { CountOutboxes } from '../db/outbox-counts.ts';
import type { Job } from '../job.ts';

/** The jobs of a service, by name. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();
  #countOutboxes: CountOutboxes = async () => undefined;

  /**
   * @param name of an outbox: its table
   * @throws Error for a name that another job has
   */
  add(name: string, job: Job): void {
    if (this.#jobs.has(name)) throw new Error(`two jobs have the name ${name}`);
    this.#jobs.set(name, job);
  }

  get(name: string): Job | undefined {
    return this.#jobs.get(name);
  }

  /** All jobs, by name. */
  all(): [name: string, job: Job][] {
    return [...this.#jobs].toSorted(([one], [other]) => (one < other ? -1 : 1));
  }

  /** Sets how the waiting rows of outboxes are counted. */
  countBy(count: CountOutboxes): void {
    this.#countOutboxes = count;
  }

  /** The waiting rows by table; undefined while the database does not answer. */
  countOutboxes(): ReturnType<CountOutboxes> {
    return this.#countOutboxes();
  }
}
