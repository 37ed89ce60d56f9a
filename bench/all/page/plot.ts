import { numberText } from '../../report/table-text.ts';
import { logScale } from './scale.ts';

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Point {
  /** Connections. */
  readonly x: number;
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export interface Plot {
  readonly title: string;
  readonly series: readonly Series[];
}

const WIDTH = 940;
const HEIGHT = 380;
const LEFT = 64;
const RIGHT = 560;
const TOP = 48;
const BOTTOM = 332;
const LEGEND = RIGHT + 28;
const ROW = 22;
/** The distance of the outer points from the edges of the plot. */
const INSET = 26;
/** Readable on white and on black. */
const COLOURS = [
  '#7d8590',
  '#d1742f',
  '#2f81d8',
  '#2e9e5b',
  '#c94f6d',
  '#8a63d2',
  '#b08a1e',
  '#1f9aa8',
] as const;
const STYLE = `text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}.back{fill:#ffffff}.grid{stroke:#d8dee4}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.back{fill:#0d1117}.grid{stroke:#30363d}}`;

/**
 * A plot by connections, as an SVG file without references: a line through the medians of each series, and a bar from the
 * lowest to the highest turn at each point. Both axes have equal distances for equal ratios, or nearly so: the numbers
 * of connections are spread evenly.
 */
export function plotSvg({ title, series }: Plot): string {
  const points = series.flatMap((one) => one.points);
  const connections = [...new Set(points.map(({ x }) => x))].toSorted((a, b) => a - b);
  const step = (RIGHT - LEFT - 2 * INSET) / Math.max(1, connections.length - 1);
  const x = (value: number): number => LEFT + INSET + step * connections.indexOf(value);
  const values = points.flatMap(({ lowest, highest }) => [lowest, highest]);
  const { ticks, at: y } = logScale(values, BOTTOM, TOP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="back" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    `<text class="title" x="16" y="28">${escaped(title)}</text>`,
    ...ticks.flatMap((tick) => [
      `<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${px(y(tick))}" y2="${px(y(tick))}"/>`,
      `<text x="${LEFT - 8}" y="${px(y(tick) + 4)}" text-anchor="end">${numberText(tick)}</text>`,
    ]),
    ...connections.map(
      (value) =>
        `<text x="${px(x(value))}" y="${BOTTOM + 20}" text-anchor="middle">${numberText(value)}</text>`,
    ),
    `<text x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 40}" text-anchor="middle">connections</text>`,
    ...series.map((one, n) => seriesSvg(one, n, x, y)),
    ...series.map(legendSvg),
    '</svg>',
    '',
  ].join('\n');
}

function seriesSvg(
  { name, points }: Series,
  n: number,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const colour = COLOURS[n % COLOURS.length] ?? '';
  const places = points.map((point) => `${px(x(point.x))},${px(y(point.median))}`);
  const bars = points.map(
    (point) =>
      `<line x1="${px(x(point.x))}" x2="${px(x(point.x))}" y1="${px(y(point.lowest))}" y2="${px(y(point.highest))}" stroke-width="3" stroke-opacity="0.35"/>`,
  );
  const marks = points.map((point) =>
    markSvg(n, x(point.x), y(point.median), ` data-x="${point.x}" data-y="${point.median}"`),
  );
  return [
    `<g stroke="${colour}" fill="${colour}" data-series="${escaped(name)}">`,
    `<polyline points="${places.join(' ')}" fill="none" stroke-width="2"/>`,
    ...bars,
    ...marks,
    '</g>',
  ].join('\n');
}

function legendSvg({ name }: Series, n: number): string {
  const colour = COLOURS[n % COLOURS.length];
  const y = TOP + 12 + n * ROW;
  return `<g stroke="${colour}" fill="${colour}">${markSvg(n, LEGEND, y - 4)}</g><text x="${LEGEND + 14}" y="${y}">${escaped(name)}</text>`;
}

/** Neighbours in the legend have different shapes too. */
function markSvg(n: number, x: number, y: number, data = ''): string {
  const [left, top] = [px(x - 4), px(y - 4)];
  switch (n % 3) {
    case 0:
      return `<circle cx="${px(x)}" cy="${px(y)}" r="4"${data}/>`;
    case 1:
      return `<rect x="${left}" y="${top}" width="8" height="8"${data}/>`;
    default:
      return `<path d="M${px(x)} ${px(y - 5)}l5 9h-10z"${data}/>`;
  }
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
