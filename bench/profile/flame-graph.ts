import type { Frame, Stack } from './cpu-profile.ts';

/** A box of the graph: a function with everything that it called. */
interface Box {
  readonly frame: Frame;
  us: number;
  readonly called: Map<string, Box>;
}

const WIDTH = 1_600;
const ROW = 17;
const FONT = 11;
const LETTER = 6.4;
/** Narrower boxes are left out. */
const MIN_WIDTH = 0.4;

/**
 * Draws stacks as a flame graph, an SVG without scripts: a box's width is its share of the time, its title names the
 * function, its source and the share.
 */
export function flameGraph(title: string, stacks: readonly Stack[]): string {
  const root = tree(stacks);
  const rows: string[] = [];
  const depth = draw(root, root.us, 0, 0, rows);
  const height = (depth + 2) * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="${FONT}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="4" y="${FONT + 2}">${escaped(title)}</text>`,
    `<g transform="translate(0 ${ROW})">`,
    ...rows,
    '</g></svg>\n',
  ].join('\n');
}

function tree(stacks: readonly Stack[]): Box {
  const root: Box = { frame: { name: 'all', url: '', line: 0 }, us: 0, called: new Map() };
  for (const { frames, us } of stacks) {
    let box = root;
    root.us += us;
    for (const frame of frames) {
      const key = `${frame.name} ${frame.url}:${frame.line}`;
      const inner = box.called.get(key) ?? { frame, us: 0, called: new Map() };
      box.called.set(key, inner);
      inner.us += us;
      box = inner;
    }
  }
  return root;
}

/** Adds a box and those above it to the rows. Returns the number of rows. */
function draw(box: Box, all_us: number, x: number, depth: number, rows: string[]): number {
  const width = (box.us / all_us) * WIDTH;
  if (!(width >= MIN_WIDTH)) return depth;
  const { name, url, line } = box.frame;
  const label = name === '' ? '(anonymous)' : name;
  const place = url === '' ? '' : `\n${url.replace(/^file:\/\//, '')}:${line}`;
  const letters = Math.floor((width - 4) / LETTER);
  const y = depth * ROW;
  rows.push(
    `<g><title>${escaped(`${label}${place}\n${((box.us / all_us) * 100).toFixed(2)} %`)}</title>` +
      `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colour(url)}"/>` +
      (letters < 3
        ? ''
        : `<text x="${(x + 2).toFixed(1)}" y="${y + FONT + 1}">${escaped(label.slice(0, letters))}</text>`) +
      '</g>',
  );
  let at = x;
  let deepest = depth + 1;
  for (const inner of [...box.called.values()].toSorted((a, b) => b.us - a.us)) {
    deepest = Math.max(deepest, draw(inner, all_us, at, depth + 1, rows));
    at += (inner.us / all_us) * WIDTH;
  }
  return deepest;
}

/** Native code is grey, Node yellow, packages green, this project orange. */
function colour(url: string): string {
  if (url === '') return '#cfcfcf';
  if (url.startsWith('node:')) return '#f7e08b';
  return url.includes('/node_modules/') ? '#b5dba4' : '#f4b183';
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
