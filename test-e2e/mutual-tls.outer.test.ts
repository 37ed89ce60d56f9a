import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { Fault } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { connect, openCertificates, type Transport } from '@gatehouse/kit/rpc';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { PEERS, type PeerName } from '@gatehouse/proto/peers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newcomer, newWebhook } from './support/people.ts';
import { PROXIED, useStack } from './support/stack.ts';
import { untilGone } from './support/until-gone.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutual-tls-'));
const ours = join(folder, 'ours');
const theirs = join(folder, 'theirs');

async function makeCertificates(where: string): Promise<void> {
  const certificates = await openCertificateFolder(where, { name: where, valid_days: 1 });
  for (const name of PEERS) await certificates.issue(name, { domain: 'gatehouse.internal', valid_days: 1 });
}

beforeAll(() => Promise.all([makeCertificates(ours), makeCertificates(theirs)]));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a stack over mutual TLS', () => {
  const stack = useStack({ ...PROXIED, RPC_TLS_DIR: ours });
  const addressOf = (name: string) => stack.running.addresses[name] ?? '';

  it('registers, creates a guild and a webhook, posts through it, reads the message and deletes the channel', async () => {
    const hook = await newWebhook(stack.api, { name: 'Build' });
    const message = await hook.say({
      content: `for <@${hook.owner.user.id}>`,
      allowed_mentions: { parse: ['users'] },
    });
    expect(message).toMatchObject({ webhook_id: hook.webhook.id, mentions: [{ id: hook.owner.user.id }] });
    expect(await hook.messages()).toMatchObject([{ id: message.id }]);
    const application = await hook.owner.api.post('/oauth2/applications', { name: 'Robot' });
    expect(application.status, application.text).toBe(200);
    const renamed = await hook.owner.api.send('PATCH', '/users/@me', { body: { global_name: 'Ada' } });
    expect(renamed.status, renamed.text).toBe(200);
    const ended = await hook.owner.api.send('DELETE', `/channels/${hook.channel.id}`);
    expect(ended.status, ended.text).toBe(204);
    await untilGone(stack.api, hook.path);
  });

  /** Calls CreateBot at auth with the certificate of `name`, or none. Returns "a token" or the error. */
  async function createBotAs(
    transport: Transport,
    name: PeerName | undefined,
    where = ours,
  ): Promise<string> {
    const certificates =
      name && openCertificates({ files: certificateFilesIn(where, name), name, log: silentLogger });
    const { client, close } = connect(AuthServiceDefinition, {
      address: addressOf('auth'),
      transport,
      tls: certificates && { certificates, peer: 'auth' },
    });
    try {
      const owner = await newcomer(stack.api);
      await client.createBot(
        { application_id: transport === 'stream' ? '1' : '2', name: 'Robot', owner_id: owner.user.id },
        { timeoutMs: 5_000 },
      );
      return 'a token';
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return error.cause instanceof Error && error.reason === 'INTERNAL_SERVER_ERROR'
        ? error.cause.message
        : error.reason;
    } finally {
      close();
      certificates?.close();
    }
  }

  it.each(['stream', 'unary'] as const)(
    'lets only oauth2 create bots at auth, over %s',
    async (transport) => {
      const denied = 'the peer denies this call to this process';
      expect(await createBotAs(transport, 'oauth2')).toBe('a token');
      for (const name of ['webhook-delivery', 'gateway', 'operator'] as const)
        expect(await createBotAs(transport, name)).toBe(denied);
      expect(await createBotAs(transport, 'oauth2', theirs)).toBe('SERVICE_UNAVAILABLE');
      expect(await createBotAs(transport, undefined)).toBe('SERVICE_UNAVAILABLE');
    },
  );

  it('serves the operator’s commands with the operator’s certificate', async () => {
    const auth = { RPC_TLS_DIR: ours, AUTH_ADDRESS: addressOf('auth') };
    expect(await gatehouse(['auth', 'events', '--json'], auth)).toBe(0);
    const ratelimit = { RPC_TLS_DIR: ours, RATELIMIT_ADDRESS: addressOf('ratelimit') };
    const top = ['limits', 'top', '--once'];
    expect(await gatehouse(top, ratelimit)).toBe(0);
    expect(await gatehouse(top, { ...ratelimit, RPC_TLS_DIR: theirs })).toBe(3);
    expect(await gatehouse(top, { ...ratelimit, RPC_TLS_DIR: '' })).toBe(3);
  });
});

/** Runs the CLI and returns its exit code. */
async function gatehouse(args: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const path = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning', path, ...args];
  const child = spawn(process.execPath, flags, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return code;
}
