import type { RenderedMessage } from '@gatehouse/webhook-delivery/render';
import { harmless, paint, paintColor, type Style } from '../demo/terminal.ts';
import { columnsOf, wrap } from '../demo/wrap.ts';
import { plainText } from './plain-text.ts';

type Embed = RenderedMessage['embeds'][number];
type Field = Embed['fields'][number];

/** Most inline fields side by side. */
const FIELDS_A_ROW = 3;
const GAP = '  ';

/** An embed as lines, with a bar in its color. */
export function embedPicture(embed: Embed, width: number): string[] {
  const { color, author, title, url, description, fields, footer, timestamp, image, thumbnail } = embed;
  const room = width - 2;
  const bar = paintColor(color ?? undefined, '┃');
  const small = [footer?.text, timestamp, colorText(color)].filter((text) => text != null && text !== '');
  return [
    ...styled('dim', linked(author?.name, author?.url), room),
    ...styled('bold', title, room),
    ...styled('dim', title == null || url == null ? undefined : `<${url}>`, room),
    ...(description == null ? [] : wrap(plainText(description), room)),
    ...fieldRows(fields).flatMap((row) => ['', ...rowLines(row, room)]),
    ...styled('dim', image == null ? undefined : `image <${image.url}>`, room),
    ...styled('dim', thumbnail == null ? undefined : `thumbnail <${thumbnail.url}>`, room),
    ...(small.length === 0 ? [] : ['', ...styled('dim', small.join(' · '), room)]),
  ].map((line) => `${bar} ${line}`.trimEnd());
}

function styled(style: Style, text: string | null | undefined, room: number): string[] {
  return text == null ? [] : wrap(harmless(text), room).map((line) => paint(style, line));
}

function linked(name: string | null | undefined, url: string | null | undefined): string | undefined {
  if (name == null) return undefined;
  return url == null ? name : `${name} <${url}>`;
}

function colorText(color: number | null | undefined): string | undefined {
  return color == null ? undefined : `#${color.toString(16).padStart(6, '0')}`;
}

/** Inline fields that follow one another share a row; any other has one of its own. */
function fieldRows(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = [];
  for (const field of fields) {
    const row = rows.at(-1);
    if (field.inline && row?.at(-1)?.inline === true && row.length < FIELDS_A_ROW) row.push(field);
    else rows.push([field]);
  }
  return rows;
}

function rowLines(row: readonly Field[], room: number): string[] {
  const width = Math.floor((room - GAP.length * (row.length - 1)) / row.length);
  const cells = row.map(({ name, value }) => ({
    names: wrap(plainText(name ?? ''), width),
    values: wrap(plainText(value ?? ''), width),
  }));
  return [
    ...sideBySide(
      cells.map(({ names }) => names),
      width,
    ).map((line) => paint('bold', line)),
    ...sideBySide(
      cells.map(({ values }) => values),
      width,
    ),
  ];
}

function sideBySide(cells: readonly (readonly string[])[], width: number): string[] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines) => lines[at] ?? '')
      .map((text) => text + ' '.repeat(Math.max(width - columnsOf(text), 0)))
      .join(GAP)
      .trimEnd(),
  );
}
