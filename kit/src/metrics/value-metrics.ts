import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds metrics whose values are kept elsewhere, and are read with each scrape. */
export interface ValueMetrics {
  gauge(name: string, help: string, value: () => number): void;
  counter(name: string, help: string, value: () => number): void;
}

export function valueMetrics(registry: Registry): ValueMetrics {
  const registers = [registry];
  return {
    gauge: (name, help, value) => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    },
    counter: (name, help, value) => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(value());
        },
      });
    },
  };
}
