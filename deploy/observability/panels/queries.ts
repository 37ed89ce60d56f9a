/** The rate per second, over the interval of a point. `metric` is a name, with labels in braces if any. */
export function rate(metric: string): string {
  return `rate(${metric}[$__rate_interval])`;
}

export function sumRate(metric: string, ...by: string[]): string {
  return `sum${grouped(by)}(${rate(metric)})`;
}

/** A quantile of a histogram of durations or sizes. */
export function quantile(share: number, histogram: string, labels = '', ...by: string[]): string {
  const buckets = `${histogram}_bucket${labels === '' ? '' : `{${labels}}`}`;
  return `histogram_quantile(${share}, ${sumRate(buckets, 'le', ...by)})`;
}

/** The largest non-zero series, at each point. */
export function most(count: number, expression: string): string {
  return `topk(${count}, ${expression}) > 0`;
}

function grouped(by: readonly string[]): string {
  return by.length === 0 ? '' : ` by (${by.join(', ')}) `;
}
