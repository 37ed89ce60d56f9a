/** A text that is not in Prometheus's format. */
export class MetricsFormatError extends Error {
  constructor(what: string) {
    super(`the metrics are not in Prometheus's text format: ${what}`);
    this.name = 'MetricsFormatError';
  }
}

const NEWLINE = 10;
const SPACE = 32;
const HASH = 35;
const BRACE = 123;
const SHOWN = 60;

/**
 * Calls `onSample` with each sample of the wanted metrics: its series as the text has it, such as
 * `checks_total{bucket="global"}`, and its value. Other lines cost no more than finding their end, because a process
 * has thousands of them.
 *
 * @throws MetricsFormatError for a malformed line of a wanted metric
 */
export function scanSamples(
  text: string,
  wanted: ReadonlySet<string>,
  onSample: (series: string, value: number) => void,
): void {
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf('\n', at);
    if (end === -1) end = text.length;
    const first = text.charCodeAt(at);
    if (first === HASH || first === NEWLINE || at === end) continue;
    const nameEnd = endOfName(text, at, end);
    if (!wanted.has(text.slice(at, nameEnd))) continue;
    const seriesEnd = text.charCodeAt(nameEnd) === BRACE ? endOfLabels(text, nameEnd, end) : nameEnd;
    onSample(text.slice(at, seriesEnd), readValue(text, seriesEnd, end));
  }
}

function endOfName(text: string, at: number, end: number): number {
  for (let index = at; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === BRACE || code === SPACE) return index;
  }
  return end;
}

/** The index after the closing brace: the last one after a quote, because neither values nor timestamps have quotes. */
function endOfLabels(text: string, at: number, end: number): number {
  const quote = text.lastIndexOf('"}', end);
  if (quote > at && quote < end) return quote + 2;
  if (text[at + 1] === '}') return at + 2;
  throw new MetricsFormatError(`labels that do not end: ${text.slice(at, Math.min(end, at + SHOWN))}`);
}

/** The value, which a timestamp may follow. */
function readValue(text: string, at: number, end: number): number {
  const [value = '', timestamp, ...more] = text.slice(at, end).trim().split(/\s+/);
  const number = numberOf(value);
  if (text.charCodeAt(at) !== SPACE || number === undefined || more.length > 0 || !isTimestamp(timestamp))
    throw new MetricsFormatError(`not a value: ${text.slice(at, Math.min(end, at + SHOWN))}`);
  return number;
}

const INFINITE: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Nan', Number.NaN],
  ['+Inf', Number.POSITIVE_INFINITY],
  ['-Inf', Number.NEGATIVE_INFINITY],
]);

/** Undefined for text that is no number. */
export function numberOf(text: string): number | undefined {
  const known = INFINITE.get(text);
  if (known !== undefined) return known;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

function isTimestamp(text: string | undefined): boolean {
  return text === undefined || /^-?\d+$/.test(text);
}
