import { beforeAll, describe, it } from 'vitest';
import { newWebhook } from '../../support/people.ts';
import { ATTACKER, type AttackSetup, LONG, SECONDS } from '../support/attack-setup.ts';
import { expectWithstood } from '../support/expect-withstood.ts';

export function tinyChunks(setup: AttackSetup): void {
  let hook = '';
  beforeAll(async () => {
    hook = (await newWebhook(setup.stack.api)).path;
  });

  const attack = { attack: 'chunks', from: ATTACKER, seconds: SECONDS, connections: 1 } as const;
  const ONE_BYTE = '1\r\nx\r\n';

  describe('an endless body in chunks of one byte', () => {
    it('to a webhook that does not exist', async () => {
      await expectWithstood(setup, { ...attack, path: '/webhooks/1/x/codehost', chunk: ONE_BYTE });
    });

    it('to a webhook that exists', async () => {
      await expectWithstood(setup, { ...attack, path: `${hook}/codehost`, chunk: ONE_BYTE, connections: 4 });
    });

    it('to a login, twice', async () => {
      await expectWithstood(setup, { ...attack, path: '/auth/login', chunk: ONE_BYTE, connections: 2 });
    });

    it('with chunk extensions', async () => {
      await expectWithstood(setup, {
        ...attack,
        path: `${hook}/codehost`,
        chunk: '1;a="b";c\r\nx\r\n',
        connections: 2,
      });
    });

    it('each byte in a separate packet', async () => {
      const chunk = ONE_BYTE;
      await expectWithstood(setup, {
        ...attack,
        path: `${hook}/codehost`,
        chunk,
        byte_by_byte: true,
        connections: 4,
      });
    });

    if (LONG) {
      it.each(['/users/@me', '/nowhere', '/auth/register'])('to %s, from fifty connections', async (path) => {
        await expectWithstood(setup, { ...attack, path, chunk: ONE_BYTE, connections: 50 });
      });

      it('with a long extension on each chunk', async () => {
        const chunk = `1;${'e'.repeat(1_000)}\r\nx\r\n`;
        await expectWithstood(setup, { ...attack, path: `${hook}/codehost`, chunk, connections: 4 });
      });
    }
  });
}
