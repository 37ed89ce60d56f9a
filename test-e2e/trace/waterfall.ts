import type { ReceivedSpan } from '@gatehouse/dev-env/telemetry/otlp-spans';

const WIDTH = 1280;
const LABELS = 500;
const ROW = 24;
const TOP = 96;
const MARGIN = 20;
const CHART = WIDTH - LABELS - MARGIN * 2 - 70;
const COLORS: Readonly<Record<string, string>> = {
  gateway: '#2f5fa8',
  ratelimit: '#b4502a',
  'webhook-delivery': '#2c7a4b',
  chat: '#7a3f98',
  auth: '#8a6d1b',
  oauth2: '#a02c5a',
  media: '#3a7d87',
};
const OTHER = '#666666';

interface Row {
  readonly span: ReceivedSpan;
  readonly depth: number;
}

/** Draws a trace as SVG: one row per span, below its parent, with start and end. */
export function waterfall(title: string, spans: readonly ReceivedSpan[]): string {
  const rows = rowsOf(spans);
  const begin = rows[0]?.span.start_ns ?? 0n; // rows are sorted by start
  const ms = (at: bigint): number => Number(at - begin) / 1e6;
  const whole_ms = Math.max(...rows.map(({ span }) => ms(span.end_ns)), 0.001);
  const x = (at_ms: number): number => MARGIN + LABELS + (at_ms / whole_ms) * CHART;
  const height = TOP + rows.length * ROW + MARGIN;
  const lines = ticks(whole_ms).map((tick) => tickAt(x(tick), tick, height));
  const body = rows.map((row, index) =>
    rowAt(row, TOP + index * ROW, x(ms(row.span.start_ns)), x(ms(row.span.end_ns)), index),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="DejaVu Sans, Liberation Sans, Arial, sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="${MARGIN}" y="32" font-size="18" fill="#111111">${escaped(title)}</text>`,
    legend([...new Set(rows.map(({ span }) => span.service))]),
    ...lines,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}

/** The spans as a tree, siblings by start time. */
function rowsOf(spans: readonly ReceivedSpan[]): Row[] {
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const below = Map.groupBy(
    spans.toSorted((one, other) => Number(one.start_ns - other.start_ns)),
    ({ parent_span_id }) => (ids.has(parent_span_id) ? parent_span_id : ''),
  );
  const rowsBelow = (parent: string, depth: number): Row[] =>
    (below.get(parent) ?? []).flatMap((span) => [{ span, depth }, ...rowsBelow(span.span_id, depth + 1)]);
  return rowsBelow('', 0);
}

function rowAt({ span, depth }: Row, y: number, from: number, to: number, index: number): string {
  const { service, kind, failed } = span;
  const color = COLORS[service] ?? OTHER;
  const took = Number(span.end_ns - span.start_ns) / 1e6;
  const width = Math.max(to - from, 2);
  const middle = y + ROW / 2 + 4;
  const shade =
    index % 2 === 0 ? `<rect x="0" y="${y}" width="${WIDTH}" height="${ROW}" fill="#f5f6f8"/>` : '';
  return [
    shade,
    `<circle cx="${MARGIN + 5 + depth * 14}" cy="${y + ROW / 2}" r="4" fill="${color}" fill-opacity="${kind === 'server' ? 1 : 0.35}"/>`,
    `<text x="${MARGIN + 14 + depth * 14}" y="${middle}" fill="${failed ? '#b00020' : '#111111'}">${escaped(labelOf(span))}</text>`,
    `<rect x="${round(from)}" y="${y + 5}" width="${round(width)}" height="${ROW - 10}" rx="2" fill="${color}" fill-opacity="${kind === 'server' ? 1 : 0.55}"/>`,
    `<text x="${round(from + width + 5)}" y="${middle}" font-size="11" fill="#444444">${took.toFixed(2)} ms</text>`,
  ].join('');
}

/** The label of a span: RPCs without their package, statements with their database. */
function labelOf({ name, attributes }: ReceivedSpan): string {
  if (attributes['db.system.name'] === 'postgresql') return `SQL ${name}`;
  if (attributes['db.system.name'] === 'redis') return `Redis ${name}`;
  return name.replace(/^[a-z0-9_.]+\.([A-Z]\w+\/)/, '$1');
}

function legend(services: readonly string[]): string {
  const parts = services.map((service, index) => {
    const left = MARGIN + index * 150;
    const color = COLORS[service] ?? OTHER;
    return `<rect x="${left}" y="48" width="12" height="12" rx="2" fill="${color}"/><text x="${left + 18}" y="58" fill="#333333">${escaped(service)}</text>`;
  });
  return parts.join('');
}

function tickAt(x: number, ms: number, height: number): string {
  return `<line x1="${round(x)}" x2="${round(x)}" y1="${TOP - 6}" y2="${height - MARGIN}" stroke="#d5d8dd"/><text x="${round(x)}" y="${TOP - 12}" font-size="11" text-anchor="middle" fill="#555555">${ms} ms</text>`;
}

function ticks(whole_ms: number): number[] {
  const step = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => whole_ms / one <= 8) ?? 1000;
  return Array.from({ length: Math.floor(whole_ms / step) + 1 }, (_, index) => index * step);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
