import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import { withBlock } from '../manifest/block.ts';
import { closeCodes } from './close-codes.ts';

const ACTIONS = { resume: 'resumes', identify: 'identifies again', stop: 'stops' } as const;

/** docs/gateway.md with its table of close codes regenerated. */
export function withGatewayTables(page: string): string {
  const rows = closeCodes().map(({ code, meaning, when, action }) => [
    String(code),
    meaning,
    when,
    ACTIONS[action],
  ]);
  const table = markdownTable(['Code', 'Meaning', 'When', 'The client'], rows);
  return withBlock(page, 'close-codes', `\n${table}\n`);
}
