import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pipFolder } from '@gatehouse/dev-env/programs/pip-folder';
import { describe, expect, it } from 'vitest';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

const run = promisify(execFile);
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = await packages();

export function slackSdk(stack: TestStack): void {
  describe.skipIf(folder === undefined)('slack_sdk, of Python', () => {
    it('sends texts and attachments, and gets errors', async () => {
      const hook = await newWebhook(stack.api);
      const attachments = [
        {
          color: '#36a64f',
          title: 'Build 7',
          fields: [{ title: 'Took', value: 12.5, short: true }],
          ts: 1727221895,
        },
      ];
      const messages = [{ text: 'It is *out*' }, { text: 'Built', attachments }, { text: ' ' }];
      const url = `${stack.url}/api/v1${hook.path}/chatcompat`;
      expect(await send(url, messages)).toEqual([
        [200, 'ok'],
        [200, 'ok'],
        [400, expect.stringContaining('"BAD_REQUEST"')],
      ]);
      expect(await hook.messages()).toMatchObject([
        {
          content: 'Built',
          embeds: [
            {
              color: 0x36a64f,
              title: 'Build 7',
              fields: [{ name: 'Took', value: '12.5', inline: true }],
              timestamp: '2024-09-24T23:51:35.000Z',
            },
          ],
        },
        { content: 'It is *out*' },
      ]);
    });
  });
}

async function send(url: string, messages: readonly object[]): Promise<unknown> {
  const running = run('python3', [fileOf('slack-sdk-client.py')], { env: environmentOf(folder ?? '') });
  running.child.stdin?.end(JSON.stringify([url, messages]));
  return JSON.parse((await running).stdout);
}

/** Undefined without Python and pip; the reason goes to standard error. */
async function packages(): Promise<string | undefined> {
  try {
    const requirements = fileOf('slack-sdk-requirements.txt');
    const digest = hash('sha256', await readFile(requirements)).slice(0, 8);
    return await pipFolder({
      name: `slack-sdk-${digest}`,
      requirements,
      works: (draft) => run('python3', ['-c', 'import slack_sdk.webhook'], { env: environmentOf(draft) }),
    });
  } catch (error) {
    process.stderr.write(`SKIPPED: the tests of slack_sdk. Put python3 with pip on PATH: ${error}\n`);
    return undefined;
  }
}

function environmentOf(draft: string): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: draft, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };
}
