import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PRISMA_PREFIX } from './statement-label.ts';

/** Some dozens of statements a service, and their forms for lists of several lengths. */
const MAX_PREPARED = 200;

/**
 * What a service opens its Prisma client with: on the pool of its prepared SQL, whose bounds and end the client
 * shares, and with statements that a connection prepares once, which halves what a read costs.
 */
export function prismaOptions(db: Pool) {
  const adapter = new PrismaPg(db, { statementNameGenerator: statementNames() });
  return { adapter, errorFormat: 'minimal' } as const;
}

/** A name for each text. A connection keeps what it has prepared: texts beyond the bound are planned each time. */
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
