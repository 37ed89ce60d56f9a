import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { REASONS, sqlFunctions, sqlFunctionsIn, statementRows } from './statements.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('docs/statements.md', () => {
  const rows = statementRows(readFileSync(join(ROOT, 'docs/statements.md'), 'utf8'));
  const listed = rows.map(({ place }) => place);
  const found = sqlFunctions(ROOT);

  test('lists every function with prepared SQL, and its reason', () => {
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter((place) => !listed.includes(place))).toEqual([]);
  });

  test('has no duplicate rows, and none for functions that are gone or use Prisma', () => {
    expect(listed.filter((place) => !found.includes(place))).toEqual([]);
    expect(listed.filter((place, index) => listed.indexOf(place) !== index)).toEqual([]);
  });

  test('uses only the reasons of the rule', () => {
    const wrong = rows.filter(({ reasons }) => !reasons.every((reason) => REASONS.includes(reason)));
    expect(wrong).toEqual([]);
  });
});

test('a function or class counts if it sends a statement, in an inner helper or method too', () => {
  const source = `const TEXT = 'SELECT 1';
export async function plain(db: Pool): Promise<void> {
  await db.query(TEXT);
  await db.query<{ n: number }>({ name: 'two', text: TEXT });
}

export function silent(prisma: PrismaClient) {
  return prisma.account.findMany();
}

export const arrow = (db: Pool) => {
  const inner = async () => {
    await db.query(TEXT);
  };
  return inner;
};

export class Finder {
  find(db: Pool): Promise<QueryResult> {
    return db.query(TEXT);
  }
}
`;
  expect(sqlFunctionsIn(source)).toEqual(['plain', 'arrow', 'Finder']);
  expect(sqlFunctionsIn('await db.query(1);')).toEqual(['(no function)']);
});
