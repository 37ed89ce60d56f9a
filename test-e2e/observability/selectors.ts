/** A metric selector in an expression. */
export interface Selector {
  readonly metric: string;
  /** The matched labels with their values. A plain alternation is split into its values. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

/** The selectors of a PromQL expression. Supports the PromQL in rules and dashboards, not all of it. */
export function selectorsOf(expression: string): Selector[] {
  const bare = expression.replace(GROUPING, ' ').replace(RANGE, ' ');
  return [...bare.matchAll(SELECTOR)]
    .filter(([, name = '']) => !WORDS.has(name))
    .map(([, metric = '', matchers = '']) => ({ metric, labels: labelsOf(matchers) }));
}

/** The labels that an expression groups or joins by. */
export function groupingsOf(expression: string): string[] {
  return [...expression.matchAll(GROUPING)].flatMap(([, labels = '']) =>
    labels.split(/\s*,\s*/).filter(Boolean),
  );
}

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(\s*([^)]*?)\s*\)/g;
const RANGE = /\[[^\]]*\]/g;
/** A metric name (not followed by a parenthesis) with its matchers. */
const SELECTOR = /(?<![\w."])([a-z_:][\w:]*)(?![\w:]*\s*\()\s*(\{[^}]*\})?/gi;
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'offset', 'bool']);
const MATCHER = /([a-z_]\w*)\s*(=~|=|!=|!~)\s*"([^"]*)"/gi;

function labelsOf(matchers: string): Map<string, string[]> {
  return new Map(
    [...matchers.matchAll(MATCHER)].map(([, label = '', operator, value = '']) => [
      label,
      operator === '=' || (operator === '=~' && /^[\w|-]+$/.test(value)) ? value.split('|') : [],
    ]),
  );
}
