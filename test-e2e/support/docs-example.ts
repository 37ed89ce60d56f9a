import { readFileSync } from 'node:fs';

/** The code block on a page of docs/ that contains `holds`. */
export function docsExample(page: string, language: string, holds: string): string {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  for (const [, block = ''] of text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))) {
    if (block.includes(holds)) return block;
  }
  throw new Error(`docs/${page} has no ${language} block with ${holds}`);
}
