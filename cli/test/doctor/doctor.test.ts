import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig as readConsole } from '@gatehouse/console/config';
import { start as startConsole } from '@gatehouse/console/start';
import { testCertificates } from '@gatehouse/dev-env/certificates';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
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

describe('ports of every address of this machine', () => {
  test('are asked by loopback', async () => {
    const config = readConfig({ LISTEN: '0.0.0.0:0', RPC_INSECURE: 'yes' });
    const ratelimit = await start(config, { log: silentLogger });
    onTestFinished(ratelimit.close);
    const found = await runDoctor('ports', { RATELIMIT_LISTEN: ratelimit.address });
    expect(found).toContainEqual({
      check: 'ports',
      status: 'ok',
      subject: 'ratelimit',
      text: `${ratelimit.address} is served`,
    });
  });
});

describe("the console's pages", () => {
  const subject = "the console's pages";

  test('are known with TLS too, whatever the name in the certificate', async () => {
    const dir = fileURLToPath(new URL('../../../services/console/migrations', import.meta.url));
    const { database_url, drop } = await testDatabase(dir, 'doctor_console');
    onTestFinished(drop);
    const certificates = await testCertificates('server');
    onTestFinished(certificates.close);
    const { cert, key } = certificates.files('server');
    const env = { CONSOLE_LISTEN: '0.0.0.0:0', CONSOLE_TLS_CERT: cert, CONSOLE_TLS_KEY: key };
    let http = '';
    const config = readConsole({
      ...env,
      LISTEN: '127.0.0.1:0',
      DATABASE_URL: 'postgres://localhost',
      CONSOLE_SECRET_KEY: 'a secret key that is only for tests',
    });
    const onHttp = (address: string): void => {
      http = address;
    };
    const running = await startConsole({ ...config, database_url }, { log: silentLogger, onHttp });
    onTestFinished(running.close);
    const listen = `0.0.0.0:${http.split(':').at(-1)}`;
    const found = await runDoctor('ports', { ...env, CONSOLE_LISTEN: listen });
    expect(found).toContainEqual({ check: 'ports', status: 'ok', subject, text: `${listen} is served` });
  });

  test('are not looked for at a public URL', async () => {
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    const record = { pid: process.pid, url: 'http://127.0.0.1:1', addresses: {} };
    writeFileSync(
      join(data, 'stack.json'),
      JSON.stringify({ ...record, console_url: 'https://console.example.com' }),
    );
    const found = await runDoctor('ports', { DATA_DIR: data });
    expect(found.map((finding) => finding.subject)).not.toContain(subject);
  });
});

describe('descriptors', () => {
  /** The settings of commands while a stack runs, whose process is this one. */
  function withStack(record: object): NodeJS.ProcessEnv {
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    const stack = { pid: process.pid, url: 'http://127.0.0.1:1', addresses: {}, ...record };
    writeFileSync(join(data, 'stack.json'), JSON.stringify(stack));
    return { DATA_DIR: data, REALTIME_MAX_CONNECTIONS: '1' };
  }

  test('that are too few for shell and stack are one warning, which names the limit', async () => {
    const found = await runDoctor('descriptors', { ...withStack({}), EDGE_MAX_CONNECTIONS: '9999999' });
    expect(found).toMatchObject([
      {
        status: 'warning',
        subject: `the stack that runs (process ${process.pid})`,
        advice: expect.stringMatching(
          /limit of open files to 19,999,998: "ulimit -n 19999998".*LimitNOFILE=/,
        ),
      },
    ]);
  });

  test('of one process are divided among its services', async () => {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const half = Math.floor(Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1]) / 2);
    const sharing = { ...withStack({ shared: true }), EDGE_MAX_CONNECTIONS: String(half - 256) };
    expect(await runDoctor('descriptors', sharing)).toMatchObject([
      { status: 'warning', text: expect.stringContaining('each service in one process has a part') },
    ]);
    const apart = { ...withStack({}), EDGE_MAX_CONNECTIONS: sharing.EDGE_MAX_CONNECTIONS };
    expect(await runDoctor('descriptors', apart)).toMatchObject([{ status: 'ok' }]);
    const unstarted = { ...sharing, DATA_DIR: '/nowhere' };
    expect(await runDoctor('descriptors', { ...unstarted, ONE_PROCESS: 'yes' })).toMatchObject([
      { status: 'warning', subject: 'processes that this shell starts' },
    ]);
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
        text: 'embedded database: nothing to set for npm start; a process that you start yourself needs DATABASE_URL',
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
