import { type ComponentChildren, cloneElement, isValidElement, type VNode } from 'preact';
import { i18n } from './i18n.ts';

/** Stands for "<" of a value, which begins no tag. */
const ESCAPED = '\ue000';

/**
 * A translated text with elements: `<Trans id="Read the <0>guide</0>." components={[<a href="/docs" />]} />`. `<0/>` is
 * an element without a text. A value may be an element too: `values={{ name: <Name text={name} /> }}` for `{name}`.
 */
export function Trans(props: {
  id: string;
  values?: Readonly<Record<string, string | number | VNode>>;
  components?: readonly VNode[];
}) {
  const elements = [...(props.components ?? [])];
  const values = Object.entries(props.values ?? {}).map(([name, value]) => {
    if (isValidElement(value)) return [name, `<${elements.push(value) - 1}/>`] as const;
    return [name, typeof value === 'string' ? value.replaceAll('<', ESCAPED) : value] as const;
  });
  return <>{fill(i18n.t(props.id, Object.fromEntries(values)), elements)}</>;
}

function fill(text: string, elements: readonly VNode[]): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(/<(\d+)>(.*?)<\/\1>|<(\d+)\/>/gs)) {
    const [all, around, inner = '', alone] = match;
    parts.push(plain(text.slice(end, match.index)));
    const element = elements[Number(around ?? alone)];
    if (element !== undefined) {
      parts.push(around === undefined ? element : cloneElement(element, {}, ...fill(inner, elements)));
    }
    end = match.index + all.length;
  }
  return [...parts, plain(text.slice(end))];
}

function plain(text: string): string {
  return text.replaceAll(ESCAPED, '<');
}
