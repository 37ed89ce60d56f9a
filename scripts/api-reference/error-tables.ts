import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import { httpStatusOf } from '@gatehouse/gateway/error-status';
import { Status } from '@gatehouse/kit/fault';
import { ERRORS, type ErrorRow, OAUTH2_ERRORS } from '@gatehouse/proto/errors';
import { withBlock } from '../manifest/block.ts';

const ROWS: ReadonlyMap<string, ErrorRow> = new Map(Object.entries(ERRORS));

/** The HTTP status of a documented error code; undefined for any other text. */
export function statusOf(code: string): number | undefined {
  const row = ROWS.get(code);
  if (row?.when === undefined) return undefined;
  return httpStatusOf({ reason: code, status: Status[row.grpc] });
}

/** docs/errors.md with its tables of error codes regenerated from the catalogue. */
export function withErrorTables(page: string): string {
  return withBlock(withBlock(page, 'error-codes', codesTable()), 'oauth2-errors', oauth2Table());
}

function codesTable(): string {
  const codes = [...ROWS.keys()].filter((code) => statusOf(code) !== undefined && !(code in OAUTH2_ERRORS));
  const rows = codes
    .toSorted((one, other) => Number(statusOf(one)) - Number(statusOf(other)))
    .map((code) => {
      const { when = '', members = '' }: ErrorRow = ROWS.get(code) ?? ERRORS.NOT_FOUND;
      return [String(statusOf(code)), `\`${code}\``, when, members];
    });
  return `\n${markdownTable(['Status', 'Code', 'When', 'Additional members'], rows)}\n`;
}

function oauth2Table(): string {
  const rows = Object.entries(OAUTH2_ERRORS).map(([code, { when }]) => [
    `\`${code.toLowerCase()}\``,
    String(statusOf(code)),
    when,
  ]);
  return `\n${markdownTable(['Name', 'Status', 'When'], rows)}\n`;
}
