import type { fetchMetrics } from './fetch-metrics.ts';
import { type Growth, ProcessSamples, type Sample } from './process-samples.ts';
import { MetricsFormatError } from './scan-samples.ts';
import type { MetricsAddress } from './targets.ts';
import { INFO, STARTED_SECONDS } from './wanted.ts';

/** What a process counted in a time. */
export interface Reading {
  readonly growths: readonly Growth[];
  readonly seconds: number;
}

/** A process whose metrics are read again and again. */
export class CollectedProcess implements MetricsAddress {
  readonly service: string;
  readonly address: string;
  readonly #fetch: typeof fetchMetrics;
  #samples = new ProcessSamples();
  #read_ms: number | undefined;
  /** Whether the last reading succeeded. */
  isUp = false;

  constructor({ service, address }: MetricsAddress, fetch: typeof fetchMetrics) {
    this.service = service;
    this.address = address;
    this.#fetch = fetch;
  }

  /**
   * Reads the metrics.
   *
   * @returns undefined for the first reading: it has nothing to compare with
   * @throws Error if the process does not answer with metrics
   */
  async read(): Promise<Reading | undefined> {
    try {
      const text = await this.#fetch(this.address);
      const now_ms = performance.now();
      const growths = this.#samples.take(text);
      if (this.#samples.isEmpty) throw new MetricsFormatError('none of the metrics that every process has');
      const before_ms = this.#read_ms;
      this.#read_ms = now_ms;
      this.isUp = true;
      return before_ms === undefined ? undefined : { growths, seconds: (now_ms - before_ms) / 1000 };
    } catch (error) {
      this.isUp = false;
      throw error;
    }
  }

  /** Forgets everything that was read: the next reading is the first. */
  forget(): void {
    this.#samples = new ProcessSamples();
    this.#read_ms = undefined;
  }

  /** Samples of the last reading; none while the process does not answer. */
  samples(name: string): Sample[] {
    return this.isUp ? [...this.#samples.values(name)] : [];
  }

  /** Empty while it is unknown. */
  version(): string {
    return this.samples(INFO)[0]?.series.labels.get('version') ?? '';
  }

  /** Milliseconds since the Unix epoch; 0 while it is unknown. */
  startedAt_ms(): number {
    return Math.round((this.samples(STARTED_SECONDS)[0]?.value ?? 0) * 1000);
  }
}
