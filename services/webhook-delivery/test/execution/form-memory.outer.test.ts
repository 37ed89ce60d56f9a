import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FORM = 'application/x-www-form-urlencoded';

it('the longest form is decoded within the memory of a small service, for any content', () => {
  const script = `
    import { readPayload } from ${JSON.stringify(fileURLToPath(new URL('../../src/execution/payload.ts', import.meta.url)))};
    for (const text of ['+', '%20', '%', '🚪', '%F0%9F%9A%AA']) {
      const form = Buffer.from('payload={"a":"' + text.repeat(25 * 1024 * 1024 / text.length) + '"}');
      console.log(typeof readPayload({ content_type: '${FORM}', body: form })?.a);
    }`;
  const flags = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=256', '--input-type=module'];
  const { status, stdout } = spawnSync(process.execPath, [...flags, '--eval', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, 'string\n'.repeat(5)]);
});
