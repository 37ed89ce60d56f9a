import { DATABASE_SERVICES, SERVICE_NAMES } from '@gatehouse/proto/services';

/** The metrics of one process, by name. */
export type Scrape = ReadonlyMap<string, Scraped>;

export interface Scraped {
  readonly kind: string;
  /** Labels of its samples, without a histogram's "le". */
  readonly labels: ReadonlySet<string>;
}

/** Parses Prometheus' text format. */
export function readScrape(text: string): Scrape {
  const metrics = new Map<string, { kind: string; labels: Set<string> }>();
  for (const line of text.split('\n')) {
    const [, name = '', kind = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== '') metrics.set(name, { kind, labels: new Set() });
    const [, sample = '', labels = ''] = /^([a-z_0-9]+)\{(.*)\} \S+$/.exec(line) ?? [];
    const metric = metrics.get(sample) ?? metrics.get(sample.replace(/_(bucket|sum|count)$/, ''));
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g))
      if (label !== 'le') metric?.labels.add(label);
  }
  return metrics;
}

/** A row of the table of metrics in docs/telemetry.md. */
export interface DocumentedMetric {
  readonly name: string;
  readonly kind: string;
  readonly labels: ReadonlySet<string>;
  /** The processes that have it. */
  readonly of: ReadonlySet<string>;
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  all: SERVICE_NAMES,
  'with a database': DATABASE_SERVICES,
};

/** Rows such as `| name | kind | labels | processes | meaning |`. */
export function readMetricsTable(markdown: string): DocumentedMetric[] {
  const rows = markdown.matchAll(/^\| `([a-z_]+)` +\| (\w+) +\| ([^|]*) \| ([^|]*) \| [^|]+ \|$/gm);
  return [...rows].map(([, name = '', kind = '', labels = '', of = '']) => ({
    name,
    kind,
    labels: new Set(listed(labels)),
    of: new Set(listed(of).flatMap((one) => GROUPS[one] ?? [one])),
  }));
}

function listed(cell: string): string[] {
  return cell
    .split(',')
    .map((one) => one.replaceAll('`', '').trim())
    .filter((one) => one !== '');
}
