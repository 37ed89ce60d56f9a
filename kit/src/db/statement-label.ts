import type { Statement } from './watch-queries.ts';

/** Prepared statements of one service, and their forms for lists of several lengths. */
const MAX_LABELS = 500;
const OTHER = 'other';

/**
 * Makes the function that says in a few words what a statement is: its name; for those of records
 * (./prisma.ts) what it does to which table; BEGIN, COMMIT or ROLLBACK; or "other". Never has a value of a statement.
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

/** What a statement does, and to which table it does it first: "SELECT applications". */
export function summary(text: string): string {
  const verb = VERB.exec(text)?.[1]?.toUpperCase();
  if (verb === undefined) return OTHER;
  const table = TABLE.exec(text)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}

/** The names that ./prisma.ts gives. */
export const PRISMA_PREFIX = 'prisma_';
const TRANSACTION: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);
const VERB = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|LISTEN|NOTIFY)\b/i;
const TABLE = /\b(?:FROM|INTO|UPDATE)\s+(?:"?public"?\.)?"?([a-z_]+)"?/i;
