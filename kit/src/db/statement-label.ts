import type { Statement } from './watch-queries.ts';

/** Prepared statements of one service, in several forms for lists of different lengths. */
const MAX_LABELS = 500;
const OTHER = 'other';

/**
 * Makes the function that labels a statement for metrics and spans: its name; for Prisma's statements their verb and
 * table; BEGIN, COMMIT or ROLLBACK; or "other". A label never contains a value of a statement.
 */
export function statementLabels(): (statement: Statement) => string {
  const labels = new Map<string, string>();
  return ({ name, text }) => {
    if (name === undefined) return TRANSACTION.has(text) ? text : OTHER;
    const known = labels.get(name);
    if (known !== undefined) return known;
    if (labels.size === MAX_LABELS) return OTHER;
    const label = name.startsWith(PRISMA_PREFIX) ? summary(text) : name;
    labels.set(name, label);
    return label;
  };
}

/** The verb of a statement and its first table: "SELECT applications". */
export function summary(text: string): string {
  const verb = VERB.exec(text)?.[1]?.toUpperCase();
  if (verb === undefined) return OTHER;
  const table = TABLE.exec(text)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}

/** The prefix of statement names that ./prisma.ts makes. */
export const PRISMA_PREFIX = 'prisma_';
const TRANSACTION: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);
const VERB = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|LISTEN|NOTIFY)\b/i;
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+(?:"?public"?\.)?"?([a-z_]+)"?/i;
