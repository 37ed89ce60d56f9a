import { spawnSync } from 'node:child_process';
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
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
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
import { run as runCommand } from './run.ts';

const SCRIPT = fileURLToPath(new URL('../rpc.ts', import.meta.url));
const CHAT_MIGRATIONS = fileURLToPath(new URL('../../services/chat/migrations', import.meta.url));
const MEMBER = '{"kind":"CALLER_KIND_SESSION","account_id":"7","credential_id":"8"}';

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

const runWith = async (variables: NodeJS.ProcessEnv, args: readonly string[], input = '') => {
  let printed = '';
  const outcome = await runCommand(
    args,
    variables,
    async () => input,
    (text) => {
      printed += text;
    },
  );
  return { ...outcome, stdout: printed };
};
const run = (...args: string[]) => runWith(env, args);

test('the command prints what it is asked for, and ends with the code', () => {
  const spawned = (...args: string[]) => {
    const flags = ['--disable-warning=ExperimentalWarning', SCRIPT, ...args];
    return spawnSync(process.execPath, flags, { encoding: 'utf8', input: '{"tokn":""}' });
  };
  const listed = spawned('list', 'RateLimitService');
  expect([listed.status, listed.stderr]).toEqual([0, '']);
  expect(listed.stdout).toBe('envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit\n');
  const refused = spawned('AuthService/Identify', '-');
  expect([refused.status, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('Did you mean token?');
});

test('each response of a stream is a line, as soon as it comes', async () => {
  const lines: string[] = [];
  const args = ['ChatService/ReadEvents', '{}', '--deadline', '1500'];
  const { code, stderr } = await runCommand(
    args,
    env,
    async () => '',
    (text) => lines.push(text),
  );
  expect(code).toBe(1);
  expect(stderr).toContain('DEADLINE_EXCEEDED');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{"events":\[\],"cursor":"1\/[^"]+"\}\n$/);
  const { cursor } = JSON.parse(lines[0] ?? '') as { cursor: string };
  const refused = await run('ChatService/ReadEvents', JSON.stringify({ cursor: `${cursor}x` }));
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('BAD_REQUEST');
});

describe('list', () => {
  test('has every method, one a line', async () => {
    const { code, stdout } = await run('list');
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['gatehouse.auth.v1.AuthService/Identify', 'grpc.health.v1.Health/Check']),
    );
    for (const line of lines) expect(line).toMatch(/^[\w.]+\/\w+$/);
  });

  test('has the methods of one service', async () => {
    const { stdout } = await run('list', 'Health');
    expect(stdout).toBe(
      'grpc.health.v1.Health/Check\ngrpc.health.v1.Health/Watch\ngrpc.health.v1.Health/List\n',
    );
  });
});

describe('describe', () => {
  test('shows a method, its messages and all that these hold, with their comments', async () => {
    const { code, stdout } = await run('describe', 'auth.v1.AuthService/Identify');
    expect(code).toBe(0);
    expect(stdout).toContain('// Identify returns the account');
    expect(stdout).toContain('rpc Identify(IdentifyRequest) returns (IdentifyResponse) {');
    expect(stdout).toContain('  // CALLER_KIND_SESSION or CALLER_KIND_BOT,');
    expect(stdout).toContain('  string token = 2;\n}\n');
    expect(stdout).toContain(
      '  // Identifies the session or bot token; not secret.\n  string credential_id = 2;',
    );
    expect(stdout).toContain('enum CallerKind {\n  // No live credential.\n');
  });

  test('shows services, messages and enums by any end of their names', async () => {
    expect((await run('describe', 'AuthService')).stdout).toContain('  // Register creates an account');
    expect((await run('describe', 'rpc.ErrorInfo')).stdout).toMatch(/^\/\/ google\.rpc\.ErrorInfo\nmessage /);
    expect((await run('describe', 'kit.v1.CallerKind')).stdout).toContain('CALLER_KIND_BOT = 2;');
  });
});

describe('a call', () => {
  test('prints the response: 64-bit numbers as strings, and defaults unless they are unwanted', async () => {
    const charge = { bucket: 'webhook:execute', identities: ['webhook:1'], cost: '60' };
    const request = JSON.stringify({ check: { sets: [{ charges: [charge] }] } });
    const { code, stdout, stderr } = await run('v1.RatelimitService/Explain', request);
    expect([code, stderr]).toEqual([0, '']);
    const explanation = { set: 0, cost: 60, admitted: true, retry_after_us: '0', remembered: false };
    expect(JSON.parse(stdout)).toMatchObject({ admitted: true, explanations: [explanation] });

    const short = await run('v1.RatelimitService/Explain', request, '--no-defaults');
    const { explanations } = JSON.parse(short.stdout);
    expect(explanations).toEqual([expect.objectContaining({ cost: 60, admitted: true })]);
    for (const name of ['set', 'retry_after_us', 'remembered'])
      expect(explanations[0]).not.toHaveProperty(name);
  });

  test('reads its request from standard input, and is empty where there is none', async () => {
    const health = ['grpc.health.v1.Health/Check', '--server', 'ratelimit'];
    const service = 'gatehouse.ratelimit.v1.RatelimitService';
    const given = await runWith(env, [...health, '-'], JSON.stringify({ service }));
    expect(JSON.parse(given.stdout)).toEqual({ status: 'SERVING' });
    expect(JSON.parse((await run(...health)).stdout)).toEqual({ status: 'SERVING' });
  });

  test('is made on behalf of a caller, to the address that is given', async () => {
    const args = ['chat.v1.ChatService/CreateGuild', '{"name":"A guild"}', '--caller', MEMBER];
    const { code, stdout, stderr } = await runWith({}, [...args, '--address', env.CHAT_ADDRESS ?? '']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ guild: { name: 'A guild', owner_id: '7' } });
  });

  test('carries metadata, and that of a key in -bin as bytes', async () => {
    const received: Metadata[] = [];
    const address = await listen((metadata) => received.push(metadata));
    const metadata = ['--metadata', 'x-request-id=a=b', '--metadata', 'token-bin=AQI='];
    const { stdout } = await run('Health/Check', '--address', address, ...metadata);
    expect(JSON.parse(stdout)).toEqual({ status: 'UNKNOWN' });
    expect(received[0]?.getMap()).toMatchObject({ 'x-request-id': 'a=b', 'token-bin': Buffer.from([1, 2]) });
  });
});

describe('a call that fails', () => {
  test('shows status, message, details and trailers, with code 1', async () => {
    const { code, stdout, stderr } = await run('ChatService/CreateGuild', '{"name":""}', '--caller', MEMBER);
    expect([code, stdout]).toEqual([1, '']);
    const [status, message, ...rest] = stderr.split('\n');
    expect(status).toBe(
      `INVALID_ARGUMENT (3) of gatehouse.chat.v1.ChatService/CreateGuild at ${env.CHAT_ADDRESS}`,
    );
    expect(message).toBe('message: Invalid form body.');
    const details = rest.join('\n').split(/^(?=detail: |trailer: )/m);
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
    expect(stderr).toMatch(/^trailer: grpc-status-details-bin: [A-Za-z0-9+/]+=*$/m);
  });

  test('is given up at its deadline', async () => {
    const address = await listen();
    const { code, stderr } = await run('Health/Check', '--address', address, '--deadline', '300');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DEADLINE_EXCEEDED \(4\) of grpc\.health\.v1\.Health\/Check at 127\.0\.0\.1:/);
  });

  test('says that nobody listens', async () => {
    const { code, stderr } = await run('Health/Check', '--address', '127.0.0.1:1');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^UNAVAILABLE \(14\) .*\nmessage: .*ECONNREFUSED/);
  });
});

test('over mutual TLS it is the operator that calls, and a process of the right name that answers', async () => {
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
  const call = (...args: string[]) => runWith({ RPC_TLS_DIR: folder }, [...args, '--address', address]);

  expect(await call('RatelimitService/ListBuckets')).toMatchObject({ code: 0, stderr: '' });
  const denied = await call('ratelimit.v1.RatelimitService/TakeSlowmode');
  expect(denied).toMatchObject({ code: 1, stderr: expect.stringMatching(/^PERMISSION_DENIED \(7\)/) });
  const other = await call('Health/Check', '--server', 'auth');
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('not auth') });
  const unnamed = await call('Health/Check');
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('--server') });
});

describe('a mistake ends with code 2, and is told with what would be right', () => {
  test.each([
    ['a service that does not exist', ['auth.v1.AuthServce/Identify'], 'Did you mean auth.v1.AuthService?'],
    ['a method that does not exist', ['AuthService/Identfy'], 'Did you mean Identify?'],
    ['a type that does not exist', ['describe', 'IdentifyRequets'], 'Did you mean IdentifyRequest?'],
    [
      'an end of several names',
      ['describe', 'GetWebhookMessageRequest'],
      'gatehouse.chat.v1.GetWebhookMessageRequest or',
    ],
    ['a stream', ['kit.v1.Calls/Open'], 'only methods with one request can be called'],
    ['no JSON', ['AuthService/Identify', '{token'], 'the request is no JSON'],
    ['an unknown option', ['list', '--all'], "Unknown option '--all'"],
    ['an option of another command', ['list', '--deadline', '1'], 'list takes no --deadline'],
    ['a process that does not exist', ['Health/Check', '--server', 'autn'], 'ratelimit, auth, chat'],
    ['a service of every process', ['Health/Check'], 'Every process serves grpc.health.v1.Health'],
    ['metadata that gRPC does not have', ['Health/Check', '--server', 'auth', '--metadata', 'ö=1'], 'ö'],
    ['an address beyond loopback without TLS', ['Health/Check', '--address', '192.0.2.1:1'], 'mutual TLS'],
  ])('%s', async (_, args, text) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
    expect(stderr).toContain('--help');
  });

  test.each([
    [
      'of the fields, every problem',
      { check: { sets: [{ chargs: [] }, { charges: [{ cost: -1, bucket: {} }] }] } },
      [
        '  check.sets.0.chargs: there is no such field. Did you mean charges?',
        '  check.sets.1.charges.0.cost: -1 is no value of this field',
        '  check.sets.1.charges.0.bucket: {} is no value of this field',
      ],
    ],
    [
      'a value where a list is expected',
      { check: { sets: [{ charges: [{ identities: 'a' }] }] } },
      [expect.stringMatching(/identities: array expected$/)],
    ],
    [
      'a value where a message is expected',
      { check: { sets: [1] } },
      [expect.stringMatching(/sets: object expected$/)],
    ],
    ['a list', [], []],
  ])('a request that is none of its message: %s', async (_, request, problems) => {
    const { code, stderr } = await run('RatelimitService/Explain', JSON.stringify(request));
    expect(code).toBe(2);
    expect(stderr.split('\n').slice(0, problems.length + 1)).toEqual([
      'the request is no ExplainRequest:',
      ...problems,
    ]);
  });

  test.each([
    [
      'a 64-bit number that JSON does not hold',
      'AuthService/ListSecurityEvents',
      '{"since_ms":9007199254740993}',
    ],
    ['bytes that are no base64', 'WebhookDeliveryService/ExecuteWebhook', '{"body":"a"}'],
    ['null in a list', 'ChatService/GetGuildStates', '{"guild_ids":[null]}'],
    ['an object for text', 'AuthService/Identify', '{"token":{}}'],
    ['the number of an enum', 'AuthService/Identify', '{"kind":1}'],
    ['text for a flag', 'ChatService/UpdateRole', '{"hoist":"false"}'],
  ])('%s is refused', async (_, method, request) => {
    const { code, stderr } = await run(method, request, '--address', '127.0.0.1:1');
    expect([code, stderr]).toEqual([2, expect.stringContaining('the request is no ')]);
  });

  test.each([
    ['a 64-bit number in text', 'AuthService/ListSecurityEvents', '{"since_ms":"9007199254740993"}'],
    ['a 64-bit number', 'AuthService/ListSecurityEvents', '{"since_ms":9007199254740991}'],
    ['defaults', 'AuthService/Identify', '{"kind":"CALLER_KIND_UNSPECIFIED","token":""}'],
    ['null for a field', 'AuthService/Identify', '{"token":null}'],
  ])('%s is taken, and sent', async (_, method, request) => {
    const { code, stderr } = await run(method, request, '--address', '127.0.0.1:1');
    expect([code, stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  });
});

test('--help, and no argument, say how it is used', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  for (const word of ['list', 'describe', '--deadline', '--metadata', '--address', '--server', '--caller'])
    expect(stdout).toContain(word);
  expect(await run()).toEqual({ code: 0, stdout, stderr: '' });
});

/**
 * A server of the health service that answers with an empty message; without `onCall` it never answers.
 *
 * @returns where it listens
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
