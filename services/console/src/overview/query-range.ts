/** One series of an answer. */
export interface RangeSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** Values by time, in seconds since the Unix epoch. */
  readonly values: ReadonlyMap<number, number>;
}

export interface Range {
  readonly start_s: number;
  readonly end_s: number;
  readonly step_s: number;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Asks Prometheus for a query's values in a range of time (https://prometheus.io/docs/prometheus/latest/querying/api).
 *
 * @throws Error whose text may be shown to an operator
 */
export async function queryRange(base: URL, query: string, range: Range): Promise<RangeSeries[]> {
  const url = new URL(`${base.pathname.replace(/\/+$/, '')}/api/v1/query_range`, base);
  url.username = '';
  url.password = '';
  const { start_s, end_s, step_s } = range;
  url.search = new URLSearchParams({
    query,
    start: String(start_s),
    end: String(end_s),
    step: String(step_s),
    timeout: `${TIMEOUT_MS}ms`,
  }).toString();
  const response = await fetch(url, {
    headers: authorization(base),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  return readSeries(await readJson(response));
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`it answers with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Error(`it answers ${response.status}, and not with JSON`);
  }
}

function readSeries(answer: unknown): RangeSeries[] {
  if (!isObject(answer) || answer.status !== 'success') throw new Error(problemOf(answer));
  const data = isObject(answer.data) ? answer.data : {};
  if (data.resultType !== 'matrix' || !Array.isArray(data.result))
    throw new Error('it answers with something else than series');
  return data.result.map((series: unknown) => {
    const { metric, values } = isObject(series) ? series : {};
    return { labels: isObject(metric) ? textsOf(metric) : {}, values: valuesOf(values) };
  });
}

function problemOf(answer: unknown): string {
  const error = isObject(answer) ? answer.error : undefined;
  return typeof error === 'string' ? `it refuses the query: ${error.slice(0, 200)}` : 'it is no Prometheus';
}

function textsOf(labels: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

/** Pairs of a time and a number as text. */
function valuesOf(values: unknown): Map<number, number> {
  const pairs = Array.isArray(values) ? values.filter((pair): pair is unknown[] => Array.isArray(pair)) : [];
  return new Map(pairs.map(([time, value]) => [Number(time), Number(value)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
