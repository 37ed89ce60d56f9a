import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { loadContracts } from '@gatehouse/cli/commands/rpc/contracts';
import { goProgram } from '@gatehouse/dev-env/programs/go-program';
import { CALLS } from '@gatehouse/proto/peers';
import { describe, expect, it } from 'vitest';
import type { SharedStack } from '../../support/stack.ts';

const run = promisify(execFile);

const grpcurlProgram = await goProgram({
  name: 'grpcurl',
  path: 'github.com/fullstorydev/grpcurl/cmd/grpcurl',
  version: 'v1.9.3',
});

const CONTRACTS = loadContracts();
const PROCESSES = [...new Set(CALLS.map(({ to }) => to))];
const HEALTH = 'grpc.health.v1.Health/Check';

/** The methods that a process serves, as `package.Service/Method`. */
function methodsOf(server: string): string[] {
  const services = new Set(CALLS.filter(({ to }) => to === server).map(({ service }) => service));
  return [...services].flatMap((service) =>
    Object.keys(CONTRACTS.services.get(service) ?? {}).map((method) => `${service}/${method}`),
  );
}

export function grpcurl(stack: SharedStack): void {
  const ask = async (...args: string[]) => (await run(grpcurlProgram ?? '', ['-plaintext', ...args])).stdout;

  describe.skipIf(grpcurlProgram === undefined)('grpcurl', () => {
    it.each(PROCESSES)('describes every method of %s and calls one', async (name) => {
      const address = stack.addresses[name] ?? '';
      const described = await ask(address, 'describe');
      for (const method of methodsOf(name)) expect(described).toContain(`rpc ${method.split('/')[1]} (`);
      expect(JSON.parse(await ask('-d', '{}', address, HEALTH))).toEqual({ status: 'SERVING' });
    });

    it('describes messages with their options and comments, and reads the details of errors', async () => {
      const chat = stack.addresses.chat ?? '';
      const message = await ask(chat, 'describe', 'gatehouse.chat.v1.CreateMessageRequest');
      expect(message).toContain('FORMAT_SNOWFLAKE');
      const ratelimit = stack.addresses.ratelimit ?? '';
      const buckets = await ask(ratelimit, 'gatehouse.ratelimit.v1.RatelimitService/ListBuckets');
      expect(JSON.parse(buckets)).toHaveProperty('buckets');
      const wrong = run(grpcurlProgram ?? '', ['-plaintext', '-d', '{"guild_id": "x"}', chat, GET_GUILD]);
      await expect(wrong).rejects.toMatchObject({ stderr: expect.stringMatching(/google\.rpc\.\w+/) });
    });
  });
}

const GET_GUILD = 'gatehouse.chat.v1.ChatService/GetGuild';

export function bufCurl(stack: SharedStack): void {
  const ask = async (name: string, path: string, ...args: string[]) => {
    const url = `http://${stack.addresses[name]}${path}`;
    return (await run('buf', ['curl', '--http2-prior-knowledge', '--protocol', 'grpc', ...args, url])).stdout;
  };

  describe('buf curl', () => {
    it.each(PROCESSES)('lists every method of %s and calls one', async (name) => {
      const listed = (await ask(name, '', '--list-methods')).split('\n');
      expect(listed).toEqual(expect.arrayContaining(methodsOf(name)));
      expect(JSON.parse(await ask(name, `/${HEALTH}`, '--data', '{}'))).toEqual({ status: 'SERVING' });
    });
  });
}
