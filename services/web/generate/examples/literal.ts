/** How a language writes the values of JSON. */
export interface LiteralStyle {
  readonly none: string;
  readonly yes: string;
  readonly no: string;
  readonly text: (text: string) => string;
  readonly name: (name: string) => string;
  /** Spaces for each level. */
  readonly indent: number;
  /** Spaces inside the braces of an object in one line. */
  readonly isSpaced: boolean;
}

/** Longer values are in several lines. */
const ONE_LINE = 60;

export const JSON_STYLE: LiteralStyle = {
  none: 'null',
  yes: 'true',
  no: 'false',
  text: (text) => JSON.stringify(text),
  name: (name) => JSON.stringify(name),
  indent: 2,
  isSpaced: false,
};

export const PYTHON_STYLE: LiteralStyle = {
  ...JSON_STYLE,
  none: 'None',
  yes: 'True',
  no: 'False',
  indent: 4,
};

export const TYPESCRIPT_STYLE: LiteralStyle = {
  ...JSON_STYLE,
  text: typescriptText,
  name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
  isSpaced: true,
};

/** Texts such as $CLIENT_SECRET are variables of the environment. */
function typescriptText(text: string): string {
  const variable = /^\$([A-Z_]+)$/.exec(text)?.[1];
  if (variable !== undefined) return `process.env.${variable} ?? ''`;
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A value of JSON in a language. `margin` is the indentation of its last line. */
export function literal(value: unknown, style: LiteralStyle, margin = 0): string {
  if (value === null || value === undefined) return style.none;
  if (typeof value === 'boolean') return value ? style.yes : style.no;
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object') return String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = margin + style.indent;
  const write = (at: number) =>
    Array.isArray(value)
      ? value.map((item) => literal(item, style, at))
      : Object.entries(value).map(([name, member]) => `${style.name(name)}: ${literal(member, style, at)}`);
  const items = write(inner);
  if (items.length === 0) return open + close;
  const space = style.isSpaced && open === '{' ? ' ' : '';
  const line = `${open}${space}${items.join(', ')}${space}${close}`;
  if (line.length <= ONE_LINE && !line.includes('\n')) return line;
  const before = ' '.repeat(inner);
  return `${open}\n${items.map((item) => `${before}${item}`).join(',\n')}\n${' '.repeat(margin)}${close}`;
}
