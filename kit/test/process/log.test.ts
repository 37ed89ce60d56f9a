import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { faultOf } from '@gatehouse/dev-env/faults';
import { describe, expect, it } from 'vitest';
import { Fault, Status } from '../../src/fault.ts';
import { createLogger, type Logger } from '../../src/log.ts';
import { logFile } from '../../src/log-output.ts';
import { ServerCall } from '../../src/rpc/call.ts';
import { callWatch, type ServedMethod, SLOW_CALL_MS } from '../../src/rpc/dispatch.ts';
import { anonymous, implement } from '../../src/rpc.ts';
import { run } from '../support/child.ts';
import { EchoDefinition } from '../support/echo-definition.ts';
import { atEnd, client, start, text } from '../support/echo-service.ts';

const unauthenticated = new Fault({ status: Status.UNAUTHENTICATED, reason: 'UNAUTHORIZED', message: 'No.' });
const PLANTED = 'mfa.planted-secret';

function record(): { log: Logger; lines: () => Record<string, unknown>[]; raw: () => string } {
  let raw = '';
  const write = (line: string): void => {
    raw += line;
  };
  const log = createLogger({ name: 'test', level: 'trace', destination: { write } });
  return {
    log,
    raw: () => raw,
    lines: () =>
      raw
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

describe('a log', () => {
  const names = [
    ...['token', 'access_token', 'refresh_token', 'password', 'new_password', 'authorization', 'cookie'],
    ...['set-cookie', 'secret', 'client_secret', 'ticket', 'code', 'code_verifier'],
  ];

  it.each(names)('redacts a secret named %s, three members deep', (name) => {
    const { log, raw, lines } = record();
    const secret = { [name]: PLANTED };
    log.info(secret, 'one');
    log.info({ request: secret }, 'two');
    log.info({ request: { headers: secret } }, 'three');
    log.child(secret).info('child');
    log.child({ request_id: 'r' }).error({ body: secret }, 'of a child');
    expect(lines()).toHaveLength(5);
    expect(raw()).not.toContain(PLANTED);
    expect(raw().match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it("writes an error's description, causes and code, and no attached data", () => {
    const { log, raw, lines } = record();
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      constraint: 'accounts_email_key',
      detail: `Key (token)=(${PLANTED}) already exists.`,
    });
    const config = { headers: { authorization: PLANTED } };
    log.error({ err: cause }, 'one');
    log.error({ err: Object.assign(new Error('outer', { cause }), { config, body: PLANTED }) }, 'two');
    log.error(Object.assign(new Error('by itself'), { detail: PLANTED }));
    const [one, two, three] = lines().map(({ err }) => err as Record<string, string>);
    expect(one).toMatchObject({
      message: 'duplicate key',
      error_code: '23505',
      constraint: 'accounts_email_key',
    });
    expect(two?.stack).toContain('caused by: Error: duplicate key');
    expect(three?.message).toBe('by itself');
    expect(raw()).not.toContain(PLANTED);
  });

  it.each([[undefined], [null], ['text'], [42], [Symbol('s')], [1n], [Object.create(null)]])(
    'writes a line for %o thrown in place of an error',
    (thrown) => {
      const { log, lines } = record();
      log.error({ err: thrown }, 'thrown');
      expect(lines()).toMatchObject([{ msg: 'thrown', level: 50 }]);
    },
  );

  it('omits lines below its level', () => {
    let raw = '';
    const write = (line: string): void => {
      raw += line;
    };
    const log = createLogger({ name: 'test', level: 'warn', destination: { write } });
    log.info('info');
    log.warn('warn');
    expect(raw).toMatch(/^\{"level":40,"time":\d+,"name":"test","msg":"warn"\}\n$/);
  });

  it('is complete at the exit of its process, though lines are written in the background', async () => {
    const child = run('write-log.ts', ['1000']);
    expect(await child.exit, child.errors()).toBe(0);
    const lines = child.output().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).toEqual(
      Array.from({ length: 1000 }, (_, line) => line),
    );
  });
});

it('a slow RPC is logged at level info, though it succeeded', () => {
  const { log, lines } = record();
  const { ended } = callWatch(log);
  const [method] = implement(EchoDefinition, { say: (one) => one, again: (one) => one }).methods;
  const call = new ServerCall(1, anonymous, 'r-1', 0, log);
  for (const ms of [SLOW_CALL_MS - 1, SLOW_CALL_MS])
    ended(method as ServedMethod, call, Status.OK, ms, undefined);
  expect(lines().map(({ level, ms }) => [level, ms])).toEqual([
    [20, SLOW_CALL_MS - 1],
    [30, SLOW_CALL_MS],
  ]);
});

it('a closed log file has the lines written before, after its earlier ones, and no later ones', async () => {
  const folder = await testDataFolder('log');
  atEnd(folder.remove);
  const path = join(folder.path, 'test.log');
  for (const line of ['one\n', 'two\n']) {
    const file = logFile(path);
    file.write(line);
    file.close();
    file.write('late\n');
    file.close();
  }
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
});

describe.each(['stream', 'unary', 'direct'] as const)('the log of RPCs over %s', (transport) => {
  it('has one line per RPC, with its request ID, and the error only if it is unauthored', async () => {
    const { log, lines, raw } = record();
    const { address } = await start(
      (request) => {
        if (request.value === 'throw') throw new Error('unforeseen');
        if (request.value === 'refuse') throw unauthenticated;
        if (request.value === 'throw nothing') throw undefined;
        return request;
      },
      { log },
    );
    const { client: echo } = client(address, transport);
    await echo.say(text(PLANTED), { timeoutMs: 20_000, requestId: 'r-1' });
    await faultOf(echo.say(text('throw'), { timeoutMs: 20_000, requestId: 'r-2' }));
    await faultOf(echo.say(text('throw nothing'), { timeoutMs: 20_000, requestId: 'r-3' }));
    await faultOf(echo.say(text('refuse'), { timeoutMs: 20_000, requestId: 'r-4' }));
    const rpc = '/kit.v1.Json/Say';
    const rpcs = lines().filter(({ msg }) => msg === 'rpc');
    expect(rpcs).toMatchObject([
      { level: 20, request_id: 'r-1', rpc, status: 0, ms: expect.any(Number) },
      { level: 50, request_id: 'r-2', rpc, status: 13, err: { message: 'unforeseen' } },
      { level: 50, request_id: 'r-3', rpc, status: 13, err: { stack: expect.any(String) } },
      { level: 30, request_id: 'r-4', rpc, status: Status.UNAUTHENTICATED },
    ]);
    expect(rpcs[3]).not.toHaveProperty('err');
    expect(raw()).not.toContain(PLANTED);
  });
});
