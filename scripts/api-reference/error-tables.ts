import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import { Status } from '@gatehouse/kit/fault';
import { httpStatusOf } from '@gatehouse/kit/http-status';
import { ERRORS, type ErrorMember, type ErrorRow, OAUTH2_ERRORS } from '@gatehouse/proto/errors';
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
  const tables = {
    'error-codes': codesTable(),
    'error-members': membersTable(),
    'oauth2-errors': oauth2Table(),
  };
  return Object.entries(tables).reduce((text, [name, table]) => withBlock(text, name, table), page);
}

function codesTable(): string {
  const codes = [...ROWS.keys()].filter((code) => statusOf(code) !== undefined && !(code in OAUTH2_ERRORS));
  const rows = codes
    .toSorted((one, other) => Number(statusOf(one)) - Number(statusOf(other)))
    .map((code) => {
      const { when = '', members_schema = {} }: ErrorRow = ROWS.get(code) ?? ERRORS.NOT_FOUND;
      const members = Object.entries(members_schema).map(([name, { required }]) =>
        memberName(name, required),
      );
      return [String(statusOf(code)), withAnchor(code, `\`${code}\``), when, members.join(', ')];
    });
  return `\n${markdownTable(['Status', 'Code', 'When', 'Additional members'], rows)}\n`;
}

/** The edge's log links to the row of a code (gateway/src/log/error-docs.ts). */
function withAnchor(code: string, cell: string): string {
  return `<a id="${code}"></a>${cell}`;
}

/** The additional members. The row of `errors` says the same for every code, and is a section of the page. */
function membersTable(): string {
  const rows = [...ROWS].flatMap(([code, { members_schema = {} }]) =>
    Object.entries(members_schema)
      .filter(([name]) => name !== 'errors')
      .map(([name, { schema, required, description }]) => [
        `\`${code}\``,
        memberName(name, required),
        typeOf(schema),
        description,
      ]),
  );
  return `\n${markdownTable(['Code', 'Member', 'Type', 'Meaning'], rows)}\n`;
}

/** A member that may be absent has a question mark, as everywhere in docs/. */
function memberName(name: string, required: boolean): string {
  return required ? `\`${name}\`` : `\`${name}?\``;
}

function typeOf({ type, properties }: ErrorMember['schema']): string {
  const name = [type].flat().join(' or ');
  if (typeof properties !== 'object' || properties === null) return name;
  return `${name} {${Object.keys(properties)
    .map((member) => `\`${member}\``)
    .join(', ')}}`;
}

function oauth2Table(): string {
  const rows = Object.entries(OAUTH2_ERRORS).map(([code, { when }]) => [
    withAnchor(code, `\`${code.toLowerCase()}\``),
    String(statusOf(code)),
    when,
  ]);
  return `\n${markdownTable(['Name', 'Status', 'When'], rows)}\n`;
}
