import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { readConfig as readChatConfig } from '@gatehouse/chat/config';
import { start as startChat } from '@gatehouse/chat/start';
import { testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { silentLogger } from '@gatehouse/kit/log';
import { anonymous } from '@gatehouse/kit/rpc';
import { CALLER_METADATA } from '@gatehouse/kit/rpc/limits';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { readConfig as readRatelimitConfig } from '@gatehouse/ratelimit/config';
import { start as startRatelimit } from '@gatehouse/ratelimit/start';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadContracts } from '../../src/commands/rpc/contracts.ts';
import { runCommand, startCommand } from '../support/run-command.ts';

const CHAT_MIGRATIONS = fileURLToPath(new URL('../../../services/chat/migrations', import.meta.url));
/** The metadata of a call that an account makes. */
const CALLER = Caller.encode({
  ...anonymous,
  kind: CallerKind.CALLER_KIND_SESSION,
  account_id: '7',
  credential_id: '8',
}).finish();
const MEMBER = `${CALLER_METADATA}=${Buffer.from(CALLER).toString('base64')}`;

const contracts = loadContracts();
const closing: (() => unknown)[] = [];
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const ratelimit = await startRatelimit(readRatelimitConfig({ LISTEN: '127.0.0.1:0' }), {
    log: silentLogger,
  });
  closing.push(() => ratelimit.close());
  const { database_url, drop } = await testDatabase(CHAT_MIGRATIONS, 'rpc_cli');
  closing.push(drop);
  const config = readChatConfig({
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: database_url,
    RATELIMIT_ADDRESS: ratelimit.address,
  });
  const chat = await startChat(config, { log: silentLogger });
  closing.push(() => chat.close());
  env = { RATELIMIT_ADDRESS: ratelimit.address, CHAT_ADDRESS: chat.address };
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const rpc = (...args: string[]) => runCommand(['rpc', ...args], { env });
const call = (...args: string[]) => rpc('call', ...args);

test('prints each response of a stream on a line as it comes, until interrupted', async () => {
  const stream = startCommand(['rpc', 'call', 'ChatService/ReadEvents'], { env });
  await expect.poll(stream.stdout).toMatch(/^\{"events":\[\],"cursor":"1\/[^"]+"\}\n$/);
  stream.interrupt();
  expect(await stream.ended).toMatchObject({ code: 0, stderr: '' });
  const { cursor } = JSON.parse(stream.stdout()) as { cursor: string };
  const refused = await call('ChatService/ReadEvents', JSON.stringify({ cursor: `${cursor}x` }));
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('BAD_REQUEST');
});

describe('list', () => {
  test('prints every method, one a line', async () => {
    const { code, stdout } = await rpc('list');
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    const some = ['gatehouse.auth.v1.AuthService/Identify', 'grpc.health.v1.Health/Check'];
    expect(lines).toEqual(expect.arrayContaining(some));
    for (const line of lines) expect(line).toMatch(/^[\w.]+\/\w+$/);
    expect(JSON.parse((await rpc('list', '--json')).stdout)).toEqual(lines);
  });

  test('prints the methods of one service', async () => {
    const { stdout } = await rpc('list', 'Health');
    expect(stdout).toMatch(/^(?:grpc\.health\.v1\.Health\/\w+\n)+$/);
  });
});

describe('describe', () => {
  test('prints a method and its messages, with their comments', async () => {
    const { code, stdout } = await rpc('describe', 'auth.v1.AuthService/Identify');
    expect(code).toBe(0);
    expect(stdout).toContain('// Identify returns the account');
    expect(stdout).toContain('rpc Identify(IdentifyRequest) returns (IdentifyResponse) {');
    expect(stdout).toContain('  // CALLER_KIND_SESSION or CALLER_KIND_BOT,');
    expect(stdout).toMatch(/ {2}string token = 2;\n\}\n[\s\S]*^message IdentifyResponse \{/m);
    const json = JSON.parse((await rpc('describe', 'auth.v1.AuthService/Identify', '--json')).stdout);
    expect(Object.keys(json)).toEqual([
      'gatehouse.auth.v1.AuthService/Identify',
      'gatehouse.auth.v1.IdentifyRequest',
      'gatehouse.auth.v1.IdentifyResponse',
    ]);
  });

  test('finds services, messages and enums by the end of their names', async () => {
    expect((await rpc('describe', 'AuthService')).stdout).toContain('  // Register creates an account');
    expect((await rpc('describe', 'rpc.ErrorInfo')).stdout).toMatch(/^\/\/ google\.rpc\.ErrorInfo\n/);
    expect((await rpc('describe', 'kit.v1.CallerKind')).stdout).toContain('CALLER_KIND_BOT = 2;');
  });
});

test('describe prints every method with its messages', async () => {
  const { stdout: listed } = await runCommand(['rpc', 'list']);
  for (const path of listed.trimEnd().split('\n')) {
    const [service = '', rpc = ''] = path.split('/');
    const method = contracts.services.get(service)?.[rpc];
    const { stdout } = await runCommand(['rpc', 'describe', path]);
    for (const type of [method?.requestType.type, method?.responseType.type])
      expect(stdout).toContain(`message ${(type as { name: string }).name} {`); // a DescriptorProto
  }
});

describe('a call', () => {
  test('prints the response, with 64-bit numbers as strings', async () => {
    const charge = { bucket: 'webhook:execute', identities: ['webhook:1'], cost: '60' };
    const request = JSON.stringify({ check: { sets: [{ charges: [charge] }] } });
    const { code, stdout, stderr } = await call('v1.RatelimitService/Explain', request);
    expect([code, stderr]).toEqual([0, '']);
    const explanation = { set: 0, cost: 60, admitted: true, retry_after_us: '0', remembered: false };
    expect(JSON.parse(stdout)).toMatchObject({ admitted: true, explanations: [explanation] });
    const line = await call('v1.RatelimitService/Explain', request, '--json');
    expect(line.stdout).toBe(`${JSON.stringify(JSON.parse(stdout))}\n`);
  });

  test('reads its request from standard input with -, and is empty without one', async () => {
    const health = ['rpc', 'call', 'grpc.health.v1.Health/Check', '--server', 'ratelimit'];
    const input = JSON.stringify({ service: 'gatehouse.ratelimit.v1.RatelimitService' });
    const given = await runCommand([...health, '-'], { env, input });
    expect(JSON.parse(given.stdout)).toEqual({ status: 'SERVING' });
    expect(JSON.parse((await runCommand(health, { env })).stdout)).toEqual({ status: 'SERVING' });
  });

  test('carries metadata, and that of a key in -bin as bytes', async () => {
    const received: Metadata[] = [];
    const address = await listen((metadata) => received.push(metadata));
    const metadata = ['--metadata', 'x-request-id=a=b', '--metadata', 'token-bin=AQI='];
    const { stdout } = await call('Health/Check', '--address', address, ...metadata);
    expect(JSON.parse(stdout)).toEqual({ status: 'UNKNOWN' });
    expect(received[0]?.getMap()).toMatchObject({ 'x-request-id': 'a=b', 'token-bin': Buffer.from([1, 2]) });
  });
});

describe('a call that fails', () => {
  test('shows status, message and details, with code 1', async () => {
    const { code, stdout, stderr } = await call(
      'ChatService/CreateGuild',
      '{"name":""}',
      '--metadata',
      MEMBER,
    );
    expect([code, stdout]).toEqual([1, '']);
    const [status, message, ...rest] = stderr.split('\n');
    expect(status).toBe(
      `INVALID_ARGUMENT (3) of gatehouse.chat.v1.ChatService/CreateGuild at ${env.CHAT_ADDRESS}`,
    );
    expect(message).toBe('message: Invalid form body.');
    const details = rest.join('\n').split(/^(?=detail: )/m);
    const parsed = details.filter((one) => one.startsWith('detail: ')).map((one) => JSON.parse(one.slice(8)));
    expect(parsed).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'INVALID_FORM_BODY',
        domain: 'gatehouse',
        metadata: {},
      },
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        field_violations: [
          expect.objectContaining({
            field: 'name',
            description: expect.any(String),
            reason: expect.any(String),
          }),
        ],
      },
    ]);
  });

  test('ends at its deadline', async () => {
    const address = await listen();
    const { code, stderr } = await call('Health/Check', '--address', address, '--deadline', '300');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DEADLINE_EXCEEDED \(4\) of grpc\.health\.v1\.Health\/Check at 127\.0\.0\.1:/);
  });

  test('shows why it could not connect', async () => {
    const { code, stderr } = await call('Health/Check', '--address', '127.0.0.1:1');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^UNAVAILABLE \(14\) .*\nmessage: .*ECONNREFUSED/);
  });
});

test('over mutual TLS it calls with the certificate of the operator, and checks that of the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rpc-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const issuer = await openCertificateFolder(folder, { name: 'test', valid_days: 1 });
  for (const name of ['operator', 'ratelimit']) await issuer.issue(name, { domain: 'test', valid_days: 1 });
  const { cert, key, ca } = certificateFilesIn(folder, 'ratelimit');
  const config = readRatelimitConfig({
    LISTEN: '127.0.0.1:0',
    RPC_TLS_CERT: cert,
    RPC_TLS_KEY: key,
    RPC_TLS_CA: ca,
  });
  const { address, close } = await startRatelimit(config, { log: silentLogger });
  onTestFinished(close);
  const secured = (...args: string[]) =>
    runCommand(['rpc', 'call', ...args, '--address', address], { env: { RPC_TLS_DIR: folder } });

  expect(await secured('RatelimitService/ListBuckets')).toMatchObject({ code: 0, stderr: '' });
  const denied = await secured('ratelimit.v1.RatelimitService/TakeSlowmode');
  expect(denied).toMatchObject({ code: 1, stderr: expect.stringMatching(/^PERMISSION_DENIED \(7\)/) });
  const other = await secured('Health/Check', '--server', 'auth');
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('not auth') });
  const unnamed = await secured('Health/Check');
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('--server') });
});

describe('a mistake ends with code 2, on standard error:', () => {
  test.each([
    ['a service that does not exist', ['call', 'auth.v1.AuthServce/Identify'], 'rpc list prints all methods'],
    ['a method that does not exist', ['call', 'AuthService/Identfy'], 'There is no AuthService/Identfy.'],
    ['a type that does not exist', ['describe', 'IdentifyRequets'], 'There is no IdentifyRequets.'],
    ['control characters', ['describe', '\u001b[2J'], 'There is no \\u{1b}[2J.'],
    [
      'the end of several names',
      ['describe', 'GetWebhookMessageRequest'],
      'gatehouse.chat.v1.GetWebhookMessageRequest or',
    ],
    ['a stream of requests', ['call', 'kit.v1.Calls/Open'], 'only methods with one request can be called'],
    ['no JSON', ['call', 'AuthService/Identify', '{token'], 'The request cannot be used'],
    ['an option of another command', ['list', '--deadline', '1'], "unknown option '--deadline'"],
    ['an unknown server', ['call', 'Health/Check', '--server', 'autn'], 'ratelimit, auth, chat'],
    ['a service of every process', ['call', 'Health/Check'], 'Name a service with --server'],
    ['metadata without a value', ['call', 'Health/Check', '--metadata', 'a'], 'It must be KEY=VALUE.'],
    ['metadata outside of gRPC', ['call', 'Health/Check', '--server', 'auth', '--metadata', 'ö=1'], 'ö'],
    ['plaintext beyond loopback', ['call', 'Health/Check', '--address', '192.0.2.1:1'], 'mutual TLS'],
  ])('%s', async (_, args, text) => {
    const { code, stdout, stderr } = await rpc(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });

  test.each([
    [
      'an unknown member',
      'RatelimitService/Explain',
      { check: { sets: [{ chargs: [] }] } },
      'check.sets.0.chargs',
    ],
    [
      'a negative number',
      'RatelimitService/Check',
      { sets: [{ charges: [{ cost: -1 }] }] },
      'charges.0.cost',
    ],
    ['a value for a list', 'RatelimitService/Check', { sets: [{ charges: 'a' }] }, 'charges: array expected'],
    ['a value for a message', 'RatelimitService/Check', { sets: [1] }, 'sets: object expected'],
    ['an object for text', 'AuthService/Identify', { token: {} }, 'token'],
    ['the number of an enum', 'AuthService/Identify', { kind: 1 }, 'kind'],
    ['text for a flag', 'ChatService/UpdateRole', { hoist: 'false' }, 'hoist'],
    ['invalid base64', 'WebhookDeliveryService/ExecuteWebhook', { body: 'a' }, 'invalid encoding'],
  ])('a request with %s', async (_, method, request, text) => {
    const { code, stderr } = await call(method, JSON.stringify(request), '--address', '127.0.0.1:1');
    expect([code, stderr]).toEqual([2, expect.stringContaining('The request cannot be used')]);
    expect(stderr).toContain(text);
  });
});

test.each([
  ['a 64-bit number in text', 'AuthService/ListSecurityEvents', '{"since_ms":"9007199254740993"}'],
  ['defaults', 'AuthService/Identify', '{"kind":"CALLER_KIND_UNSPECIFIED","token":""}'],
  ['null for a member', 'AuthService/Identify', '{"token":null}'],
])('a request may have %s', async (_, method, request) => {
  const { code, stderr } = await call(method, request, '--address', '127.0.0.1:1');
  expect([code, stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
});

/**
 * Starts a health service that answers with an empty message; without `onCall` it never answers.
 *
 * @returns its address
 */
async function listen(onCall?: (metadata: Metadata) => void): Promise<string> {
  const server = new Server();
  const same = (bytes: Buffer): Buffer => bytes;
  const method = {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  } as const;
  server.addService(
    { check: method },
    {
      check: ({ metadata }: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) => {
        if (onCall === undefined) return;
        onCall(metadata);
        reply(null, Buffer.alloc(0));
      },
    },
  );
  onTestFinished(() => server.forceShutdown());
  const port = await promisify(server.bindAsync.bind(server))(
    '127.0.0.1:0',
    ServerCredentials.createInsecure(),
  );
  return `127.0.0.1:${port}`;
}
