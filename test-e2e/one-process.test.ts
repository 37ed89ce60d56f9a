import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useGateway } from './gateway/support/use-gateway.ts';
import { apiOf } from './support/api.ts';
import { type Command, startCommand } from './support/command.ts';
import type { CurrentUser } from './support/objects.ts';
import { createGuild, type GuildFixture, register } from './support/people.ts';
import { png } from './support/png.ts';
import { descendants, isAlive } from './support/processes.ts';
import { PROXIED, useStackInProcess } from './support/stack.ts';

describe('npm start -- --one-process', () => {
  const running: { command?: Command & { url: string }; data_dir: string } = { data_dir: '' };
  const command = () => running.command ?? expect.unreachable('it is not running');
  const gateway = useGateway({
    get url() {
      return command().url;
    },
    get api() {
      return apiOf(command().url);
    },
    get data_dir() {
      return running.data_dir;
    },
  });
  let fixture: GuildFixture;

  beforeAll(async () => {
    const folder = await testDataFolder('e2e');
    running.data_dir = folder.path;
    running.command = await startCommand({ ...PROXIED, DATA_DIR: folder.path }, ['--one-process']);
    afterAll(async () => {
      running.command?.kill('SIGKILL');
      await running.command?.ended;
      await folder.remove();
    });
    fixture = await createGuild(await register(apiOf(command().url)));
  });

  it('runs the edge and all services in one process, and PostgreSQL beside it', () => {
    const commands = descendants(command().pid).flatMap(commandOf);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((line) => !line.includes('postgres'))).toEqual([]);
  });

  it('delivers a message to the Gateway, and writes the log of each service', async () => {
    const { owner, channel } = fixture;
    const session = await gateway.identify(owner.token);
    const sent = await owner.api.post(`/channels/${channel.id}/messages`, { content: 'one for all' });
    expect(sent.status, sent.text).toBe(200);
    const { id } = sent.json<{ id: string }>();
    expect(
      await session.event<{ id: string }>('MESSAGE_CREATE', (message) => message.id === id),
    ).toMatchObject({
      content: 'one for all',
      channel_id: channel.id,
    });
    const log = () => readFileSync(join(running.data_dir, 'logs/gateway.log'), 'utf8');
    await expect.poll(log).toContain('/channels/{channel_id}/messages');
  });

  it('refuses forbidden and invalid requests as separate processes do', async () => {
    const api = apiOf(command().url);
    expect((await api.get('/users/@me')).status).toBe(401);
    expect((await fixture.owner.api.get('/guilds/1')).status).toBe(404);
    const empty = await fixture.owner.api.post(`/channels/${fixture.channel.id}/messages`, { content: '' });
    expect(empty.status).toBe(400);
    expect(empty.json()).toMatchObject({ code: expect.any(String), errors: expect.any(Array) });
  });

  it('decodes pictures in a separate process', async () => {
    const avatar = `data:image/png;base64,${png(8, 200).toString('base64')}`;
    const changed = await fixture.owner.api.send('PATCH', '/users/@me', { body: { avatar } });
    expect(changed.status, changed.text).toBe(200);
    const { id, avatar: hash } = changed.json<CurrentUser>();
    const picture = await fetch(`${command().url}/media/avatars/${id}/${hash}`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    const commands = descendants(command().pid).flatMap(commandOf);
    expect(commands.filter((line) => line.includes('decoder-process'))).toHaveLength(1);
  });

  it('serves ratelimit to other processes', async () => {
    const { addresses } = JSON.parse(readFileSync(join(running.data_dir, 'stack.json'), 'utf8'));
    const { client, close, healthy } = connect(RatelimitServiceDefinition, { address: addresses.ratelimit });
    onTestFinished(close);
    expect(await healthy(5_000)).toBe(true);
    const { buckets } = await client.listBuckets({}, { timeoutMs: 5_000 });
    expect(buckets.map(({ name }) => name)).toContain('webhook:execute');
  });

  it('ends within 10 s of SIGTERM, closes the Gateway’s connections, and leaves no process behind', async () => {
    const { connection } = await gateway.identify(fixture.owner.token);
    const everyone = descendants(command().pid);
    const busy = Array.from({ length: 20 }, () => fixture.owner.api.get('/users/@me').catch(() => undefined));
    const asked = performance.now();
    command().kill('SIGTERM');
    expect((await command().ended).code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000);
    expect((await connection.closed()).code).toBe(1001);
    expect(everyone.filter(isAlive)).toEqual([]);
    await Promise.all(busy);
  });
});

describe('the stack in a test’s own process', () => {
  const stack = useStackInProcess();

  it('works with frozen messages between services', async () => {
    const { owner, channel } = await createGuild(await register(stack.api));
    const sent = await owner.api.post(`/channels/${channel.id}/messages`, { content: 'here' });
    expect(sent.status, sent.text).toBe(200);
    expect((await owner.api.get(`/channels/${channel.id}/messages`)).json()).toMatchObject([
      { content: 'here' },
    ]);
    expect(new Set(Object.values(stack.running.pids()))).toContain(process.pid);
  });
});

/** Empty for a process that has ended, such as a PostgreSQL connection. */
function commandOf(pid: number): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')].filter((line) => line !== '');
  } catch {
    return [];
  }
}
