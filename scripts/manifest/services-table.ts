import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { withBlock } from './block.ts';

const HEADINGS = ['Process', 'Port (`PORT`+n)', 'Owns', 'Page'];

/** README.md with its table of services. */
export function withServicesTable(readme: string): string {
  const rows = SERVICE_NAMES.map((name) => {
    const { ports, owns, folder } = serviceNamed(name);
    return [name, Object.values(ports).join(', '), owns, `[${name}](${folder}/README.md)`];
  });
  return withBlock(readme, 'services', `\n${markdownTable(HEADINGS, rows)}\n`);
}
