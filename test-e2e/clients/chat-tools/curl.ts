import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aptProgram } from '@gatehouse/dev-env/programs/apt';
import { describe, expect, it } from 'vitest';
import { docsExample } from '../../support/docs-example.ts';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

const program = await aptProgram('curl', 'curl');
const run = promisify(execFile);

export function curlForms(stack: TestStack): void {
  const curl = async (path: string, ...args: string[]): Promise<string> => {
    const url = `${stack.url}/api/v1${path}/chatcompat`;
    const shown = ['-sS', '-w', ' %{http_code} %{content_type}'];
    return (await run(program ?? '', [...shown, ...args, url])).stdout;
  };
  const OK = /^ok 200 text\/html/;

  describe.skipIf(program === undefined)('curl at the chat-tool route', () => {
    it('posts a form with the payload, encoded or not, and JSON under the content type of a form', async () => {
      const hook = await newWebhook(stack.api);
      const text = '50% + 1 & "done" = 🚪';
      const json = JSON.stringify({ text });
      expect(await curl(hook.path, '--data-urlencode', `payload=${json}`)).toMatch(OK);
      expect(await curl(hook.path, '-d', json)).toMatch(OK);
      expect(await curl(hook.path, '-d', 'payload={"text":"plain"}')).toMatch(OK);
      expect(await curl(hook.path, '-H', 'Content-Type:', '-d', json), 'no content type').toMatch(OK);
      const said = (await hook.messages()).map(({ content }) => content).reverse();
      expect(said).toEqual([text, text, 'plain', text]);
    });

    it('posts with the commands in docs/webhooks.md', async () => {
      const hook = await newWebhook(stack.api);
      const lines = docsExample('webhooks.md', 'sh', 'curl --data-urlencode');
      const env = { ...process.env, URL: `${stack.url}/api/v1${hook.path}/chatcompat` };
      expect((await run('sh', ['-ec', lines], { env })).stdout).toBe('okok');
      expect((await hook.messages()).map(({ content, author }) => [content, author.username])).toEqual([
        ['Backup done', 'Backup'],
        ['Backup done', 'Build'],
      ]);
    });

    it('posts a file with its line breaks', async () => {
      const hook = await newWebhook(stack.api);
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-curl-'));
      const file = join(folder, 'payload.json');
      try {
        await writeFile(file, '{\n  "text": "from a file",\n  "username": "Backup"\n}\r\n\n');
        expect(await curl(hook.path, '--data-binary', `@${file}`)).toMatch(OK);
        expect(await curl(hook.path, '-H', 'Content-Type: application/json', '-d', `@${file}`)).toMatch(OK);
        expect(await curl(hook.path, '--data-urlencode', `payload@${file}`)).toMatch(OK);
      } finally {
        await rm(folder, { recursive: true });
      }
      const messages = await hook.messages();
      expect(messages.map(({ content }) => content)).toEqual(Array(3).fill('from a file'));
      expect(messages.map(({ author }) => author.username)).toEqual(Array(3).fill('Backup'));
    });

    it('is refused with multipart, and with a form without a payload', async () => {
      const hook = await newWebhook(stack.api);
      expect(await curl(hook.path, '-F', 'payload={"text":"x"}')).toMatch(/"INVALID_FORM_BODY".* 400 /);
      expect(await curl(hook.path, '-d', 'text=x')).toMatch(/"INVALID_FORM_BODY".* 400 /);
      expect(await hook.messages()).toEqual([]);
    });
  });
}
