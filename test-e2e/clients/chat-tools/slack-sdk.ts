import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonEnvironment, pythonPackages } from '@gatehouse/dev-env/programs/python-packages';
import { describe, expect, it } from 'vitest';
import { newWebhook } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

const run = promisify(execFile);
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = await pythonPackages({
  of: 'slack_sdk',
  python: 'python3',
  requirements: fileOf('slack-sdk-requirements.txt'),
  modules: ['slack_sdk.webhook'],
  folderName: (digest) => `slack-sdk-${digest}`,
});

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
  const running = run('python3', [fileOf('slack-sdk-client.py')], { env: pythonEnvironment(folder ?? '') });
  running.child.stdin?.end(JSON.stringify([url, messages]));
  return JSON.parse((await running).stdout);
}
