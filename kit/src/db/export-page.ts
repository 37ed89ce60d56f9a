import type { Pool } from 'pg';
import { invalidForm } from '../fault.ts';
import { isSnowflake } from '../snowflake.ts';

/**
 * A statement that exports the rows of one owner, page by page. Its parameters are the owner's ID, the cursor after which
 * the page begins (a bigint[], at first of zeros) and the number of rows. Each row has `cursor` (a bigint[], by which the
 * rows are ordered) and `json` (an object as text).
 */
export interface ExportStatement {
  readonly name: string;
  readonly text: string;
}

/** A page of rows: JSON objects, separated by commas. `next` is absent on the last page. */
export interface ExportPage {
  readonly rows: string;
  readonly next: string | undefined;
}

export interface ExportRequest {
  readonly account_id: string;
  /** Which statement. */
  readonly file: string;
  /** `next` of the page before. */
  readonly after?: string | null | undefined;
}

const PAGE_ROWS = 100;
const FIRST = '{0,0}';
const CURSOR = /^\{\d{1,19}(,\d{1,19})?\}$/;

/** Reads a page of an export. @throws INVALID_FORM_BODY for an unknown file, or an ID or cursor that is none */
export async function readExportPage(
  db: Pool,
  statements: ReadonlyMap<string, ExportStatement>,
  { account_id, file, after }: ExportRequest,
): Promise<ExportPage> {
  const cursor = after ?? FIRST;
  const statement = statements.get(file);
  if (statement === undefined || !isSnowflake(account_id) || !CURSOR.test(cursor))
    throw invalidForm([{ path: 'root', code: 'INVALID_FORMAT', message: 'There is no such export.' }]);
  const { rows } = await db.query<{ cursor: string; json: string }>({
    ...statement,
    values: [account_id, cursor, PAGE_ROWS],
  });
  return {
    rows: rows.map(({ json }) => json).join(',\n'),
    next: rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.cursor,
  };
}

/** Statements by the names of their files. */
export function exportStatements(
  texts: Readonly<Record<string, string>>,
): ReadonlyMap<string, ExportStatement> {
  return new Map(Object.entries(texts).map(([file, text]) => [file, { name: `export_${file}`, text }]));
}
