import { MetricsFormatError } from './scan-samples.ts';

/** A metric with labels. */
export interface Series {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(,?)/y;
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;

/**
 * Reads a series such as `checks_total{bucket="global"}`.
 *
 * @throws MetricsFormatError
 */
export function readSeries(text: string): Series {
  const [name] = NAME.exec(text) ?? [];
  if (name === undefined) throw new MetricsFormatError(`not a name: ${text}`);
  const labels = new Map<string, string>();
  if (name.length === text.length) return { name, labels };
  const end = text.length - 1;
  if (text[name.length] !== '{' || text[end] !== '}') throw new MetricsFormatError(`not labels: ${text}`);
  LABEL.lastIndex = name.length + 1;
  for (let more = true; LABEL.lastIndex < end; ) {
    const found: RegExpExecArray | null = more ? LABEL.exec(text) : null;
    const [, label = '', value = '', comma = '']: readonly string[] = found ?? [];
    if (label === '' || labels.has(label)) throw new MetricsFormatError(`not labels: ${text}`);
    labels.set(label, value.includes('\\') ? unescaped(value) : value);
    more = comma !== '';
  }
  return { name, labels };
}

function unescaped(value: string): string {
  return value.replaceAll(/\\([\\"n])/g, (_, char: string) => (char === 'n' ? '\n' : char));
}
