import { readSeries, type Series } from './read-series.ts';
import { MetricsFormatError, scanSamples } from './scan-samples.ts';
import { GROWING, WANTED } from './wanted.ts';

/** What a counter has grown by between two readings. */
export interface Growth {
  readonly series: Series;
  readonly by: number;
}

/** A value of the last reading. */
export interface Sample {
  readonly series: Series;
  readonly value: number;
}

interface Known {
  readonly series: Series;
  value: number;
  /** The number of the reading that had it last. */
  reading: number;
}

/** A process has a few thousand. Beyond that, it is not one of ours. */
const MAX_SERIES = 50_000;

/** The samples of one process, and how its counters grow. */
export class ProcessSamples {
  readonly #counters = new Map<string, Known>();
  readonly #values = new Map<string, Known>();
  #reading = 0;

  /**
   * Takes a reading. Counters that are lower than before were reset by a restart of the process, so all of their value is new.
   *
   * @returns what the counters have grown by since the reading before; nothing for the first one, whose counts are older
   * @throws MetricsFormatError
   */
  take(text: string): Growth[] {
    const isFirst = this.#reading === 0;
    this.#reading++;
    const grown: Growth[] = [];
    scanSamples(text, WANTED, (key, value) => {
      const known = this.#known(key);
      const before = known.reading === 0 ? 0 : known.value;
      known.value = value;
      known.reading = this.#reading;
      if (isFirst || !GROWING.has(known.series.name) || value === before) return;
      grown.push({ series: known.series, by: value > before ? value - before : value });
    });
    this.#forgetGone();
    return grown;
  }

  /** Whether the last reading had any of the wanted samples. */
  get isEmpty(): boolean {
    return this.#counters.size + this.#values.size === 0;
  }

  /** The samples of the last reading, other than those whose growth counts. */
  *values(name: string): Generator<Sample> {
    for (const { series, value } of this.#values.values()) if (series.name === name) yield { series, value };
  }

  #known(key: string): Known {
    const known = this.#counters.get(key) ?? this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#counters.size + this.#values.size >= MAX_SERIES)
      throw new MetricsFormatError(`more than ${MAX_SERIES} series`);
    const made: Known = { series: readSeries(key), value: 0, reading: 0 };
    (GROWING.has(made.series.name) ? this.#counters : this.#values).set(key, made);
    return made;
  }

  #forgetGone(): void {
    for (const all of [this.#counters, this.#values])
      for (const [key, { reading }] of all) if (reading !== this.#reading) all.delete(key);
  }
}
