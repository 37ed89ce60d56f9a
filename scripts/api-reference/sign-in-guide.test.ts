import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const EXAMPLES = { js: 'examples/sign-in-page/sign-in.js', ts: 'examples/sign-in-fastify/app.ts' };

it.each(Object.entries(EXAMPLES))(
  'docs/sign-in-with-gatehouse.md shows lines of the example in %s',
  (language, path) => {
    const source = new Set(linesOf(textOf(path)));
    const page = textOf('docs/sign-in-with-gatehouse.md');
    const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
    expect(blocks.length).toBeGreaterThan(0);
    const shown = blocks.flatMap(([, code = '']) => linesOf(code));
    expect(shown.filter((line) => !source.has(line))).toEqual([]);
  },
);

function linesOf(code: string): readonly string[] {
  return code.split('\n').map((line) => line.trim());
}
