import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { silentLogger } from '@gatehouse/kit/log';
import { readConfig } from '@gatehouse/ratelimit/config';
import { start } from '@gatehouse/ratelimit/start';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordingServer } from '../support/recording-server.ts';
import { runCommand } from '../support/run-command.ts';
import { runDoctor } from '../support/run-doctor.ts';

describe('names', () => {
  test('that do not resolve are a problem; the others are counted', async () => {
    const env = {
      AUTH_ADDRESS: '127.0.0.1:1,127.0.0.2:1,127.0.0.1:1',
      CHAT_ADDRESS: 'chat.invalid:8083',
      OAUTH2_ADDRESS: 'here',
      RATELIMIT_ADDRESS: '127.0.0.1:1,127.0.0.2:1',
      RATELIMIT_REPLICAS: '3',
    };
    const found = await runDoctor('names', env);
    expect(found).toMatchObject([
      { status: 'warning', subject: 'RATELIMIT_ADDRESS', text: '2 addresses, and RATELIMIT_REPLICAS is 3' },
      { status: 'ok', subject: 'AUTH_ADDRESS', text: '2 addresses' },
      { status: 'problem', subject: 'CHAT_ADDRESS', text: 'chat.invalid does not resolve' },
      { status: 'problem', subject: 'OAUTH2_ADDRESS', text: 'here is not host:port' },
    ]);
  });
});

describe('ports', () => {
  test('are served by the right process, or another program has them', async () => {
    const ratelimit = await start(readConfig({ LISTEN: '127.0.0.1:0' }), { log: silentLogger });
    onTestFinished(ratelimit.close);
    const stranger = createServer((socket) => socket.destroy());
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as AddressInfo; // it listens on TCP
    const found = await runDoctor('ports', {
      RATELIMIT_LISTEN: ratelimit.address,
      AUTH_LISTEN: ratelimit.address,
      CHAT_LISTEN: `127.0.0.1:${port}`,
      MEDIA_LISTEN: '192.0.2.1:8086',
      CONSOLE_LISTEN: `127.0.0.1:${port}`,
    });
    const of = (name: string) => found.find(({ subject }) => subject === name);
    expect(of('ratelimit')).toMatchObject({ status: 'ok', text: `${ratelimit.address} is served` });
    expect(of('auth')).toMatchObject({
      status: 'problem',
      text: `another program listens on ${ratelimit.address}`,
    });
    expect(of('chat')).toMatchObject({
      status: 'problem',
      text: `another program listens on 127.0.0.1:${port}`,
    });
    expect(of("the console's pages")).toMatchObject({ status: 'problem' });
    expect(of('media')).toMatchObject({
      status: 'problem',
      text: expect.stringContaining('no address of this machine'),
    });
  });
});

describe('settings', () => {
  test('are read as each service reads them', async () => {
    const found = await runDoctor('settings', {
      SERVICES: 'auth,ratelimit',
      AUTH_LISTEN: 'x',
      DATABASE_POOL_SIZE: '0',
    });
    expect(found.filter(({ subject }) => subject === 'ratelimit')).toMatchObject([{ status: 'ok' }]);
    expect(found.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'LISTEN must be one host:port',
        'DATABASE_POOL_SIZE must be a whole number from 3 to 100',
        'DATABASE_URL is required',
      ]),
    );
  });

  test('that are elsewhere are no problem unless SERVICES names their service', async () => {
    expect(await runDoctor('settings', {})).toContainEqual(
      expect.objectContaining({
        status: 'skipped',
        subject: 'chat',
        text: expect.stringContaining('DATABASE_URL is not set here'),
      }),
    );
  });
});

describe('clocks', () => {
  test.each([
    ['agrees', 0, 'ok', 'agrees with this clock'],
    ['is ahead', 60_000, 'problem', 'ahead of'],
    ['is behind', -60_000, 'problem', 'behind'],
  ])('the clock of an edge that %s', async (_, offset_ms, status, text) => {
    const edge = await recordingServer(() => ({
      body: {},
      headers: { date: new Date(Date.now() + offset_ms).toUTCString() },
    }));
    onTestFinished(edge.close);
    const found = await runDoctor('clocks', { PORT: new URL(edge.url).port });
    expect(found).toMatchObject([{ status, text: expect.stringContaining(text) }]);
  });
});

test('a report for people has marks, advice and a summary', async () => {
  const { code, stdout } = await runCommand(['doctor', '--only', 'mail,names'], {
    env: { CHAT_ADDRESS: 'chat.invalid:8083' },
  });
  expect(code).toBe(1);
  expect(stdout).toBe(
    'names\n' +
      '  PROBLEM  CHAT_ADDRESS: chat.invalid does not resolve\n' +
      '           Look at the name, and at the DNS of this machine.\n\n' +
      'mail\n' +
      '  -        SMTP_URL: is not set: mails are files in DATA_DIR/mail\n\n' +
      '1 problem, 0 warnings, 0 ok, 1 not checked\n',
  );
});

test('a check that does not exist ends with code 2', async () => {
  const { code, stderr } = await runCommand(['doctor', '--only', 'weather']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('There is no check "weather". There are settings, certificates'),
  ]);
});
