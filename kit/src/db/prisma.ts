import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PRISMA_PREFIX } from './statement-label.ts';

/** Some dozens of statements per service, in several forms for lists of different lengths. */
const MAX_PREPARED = 200;

/**
 * Options of a service's Prisma client. It shares the pool of the prepared SQL, whose limits apply and which is closed
 * with the service. Each connection prepares a statement once, which halves the cost of a read.
 */
export function prismaOptions(db: Pool) {
  const adapter = new PrismaPg(db, { statementNameGenerator: statementNames() });
  return { adapter, errorFormat: 'minimal' } as const;
}

/** Names each statement. A connection keeps what it has prepared: statements beyond the limit are planned each time. */
function statementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size === MAX_PREPARED) return UNNAMED;
    const name = `${PRISMA_PREFIX}${names.size + 1}`;
    names.set(sql, name);
    return name;
  };
}

const UNNAMED = '';
