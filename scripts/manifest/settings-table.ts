import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import type { ServiceName } from '@gatehouse/proto/services';
import { withBlock } from './block.ts';
import { defaultOf, meaningOf, settingsOf } from './settings.ts';

const HEADINGS = ['Variable', 'Meaning', 'Default'];

/** The README of a service with the table of its settings. */
export function withSettings(name: ServiceName, readme: string): string {
  const rows = settingsOf(name).map((setting) => [
    `\`${setting.name}\``,
    cell(meaningOf(setting)),
    cell(defaultOf(setting)),
  ]);
  return withBlock(readme, 'settings', `\n${markdownTable(HEADINGS, rows)}\n`);
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
