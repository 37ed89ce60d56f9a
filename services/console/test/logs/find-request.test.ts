import { appendFile, chmod, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { findRequest } from '../../src/logs/find-request.ts';
import { readEnd } from '../../src/logs/read-end.ts';
import { type LogFolder, line, logFolder } from './log-folder.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

async function found({ dir }: LogFolder, request_id: string): Promise<string[]> {
  const { lines } = await findRequest(dir, request_id);
  return lines.map(({ service, at_ms, level, message }) => `${service} ${at_ms} ${level} ${message}`);
}

describe('the lines of a request', () => {
  it('come from the files of all processes, oldest first, and each whole', async () => {
    const logs = await logFolder();
    await logs.write('gateway.log', line('other', 1), line('one', 5));
    await logs.write('gateway.log.1', line('one', 1, { msg: 'before' }));
    await logs.write('auth-2.log', line('one', 3, { name: 'auth', level: 50, msg: 'call' }));
    await logs.write('gateway+chat.log', line('one', 4, { name: 'chat', level: 35 }));
    expect(await found(logs, 'one')).toEqual([
      'gateway 1 info before',
      'auth 3 error call',
      'chat 4 35 request',
      'gateway 5 info request',
    ]);
    const { lines, searched } = await findRequest(logs.dir, 'other');
    expect(lines).toEqual([
      {
        service: 'gateway',
        at_ms: 1,
        level: 'info',
        message: 'request',
        json: JSON.stringify(line('other', 1)),
      },
    ]);
    expect(searched).toBe('Searched all of 4 log files, 0.0 MiB.');
  });

  it('are only those with exactly this ID as their own', async () => {
    const logs = await logFolder();
    await logs.write(
      'gateway.log',
      line('ab', 1),
      line('b', 2),
      line('x', 3, { msg: '"request_id":"a"' }),
      line('x', 4, { body: { request_id: 'a' } }),
      line('a', 5),
    );
    expect(await found(logs, 'a')).toEqual(['gateway 5 info request']);
  });

  it.each([
    '.*',
    '(',
    '[',
    '^a$',
    '\\',
    '\\d',
    '"',
    '%',
    '$&',
    '../../etc/passwd',
    "';--",
    ' ',
    '{}',
    'a"b\\c',
  ])('with the ID %j are found, and no others', async (id) => {
    const logs = await logFolder();
    await logs.write('gateway.log', line('a', 1), line(id, 2), line(`${id}x`, 3), line('', 4));
    expect(await found(logs, id)).toEqual(['gateway 2 info request']);
  });

  it('are found among lines that are not JSON, also one that is being written', async () => {
    const logs = await logFolder();
    await logs.write(
      'auth.log',
      'Error: "request_id":"a"',
      '    at main.ts:1',
      '',
      '[1]',
      'null',
      '{"request_id":"a"',
    );
    await logs.write(
      'auth.log',
      line('a', 1, { name: 'auth' }),
      Buffer.from([0xff, 0xfe, 0]).toString('latin1'),
    );
    await logs.write('auth.log', { request_id: 'a' });
    await appendFile(logs.path('auth.log'), '{"request_id":"a","time":9');
    expect(await found(logs, 'a')).toEqual([' 0 undefined ', 'auth 1 info request']);
  });

  it('are not looked for in other files, folders and links', async () => {
    const logs = await logFolder();
    const secret = await logFolder();
    await secret.write('secret', line('a', 1));
    await symlink(secret.path('secret'), logs.path('linked.log'));
    for (const name of ['notes.txt', 'GATEWAY.log', '.log', 'gateway.log.gz', 'gateway.log.1234'])
      await logs.write(name, line('a', 1));
    expect(await findRequest(logs.dir, 'a')).toEqual({
      lines: [],
      searched: 'Searched all of 0 log files, 0.0 MiB.',
    });
  });
});

describe('long lines', () => {
  it.each([
    [100 * KIB, true],
    [200 * KIB, true],
    [300 * KIB, false],
    [1 * MIB, false],
    [5 * MIB, false],
  ])('of %i bytes are shown: %s, and their neighbours always', async (bytes, isShown) => {
    const logs = await logFolder();
    await logs.write('chat.log', line('a', 1), line('a', 2, { err: 'x'.repeat(bytes) }), line('a', 3));
    const { lines, searched } = await findRequest(logs.dir, 'a');
    expect(lines.map(({ at_ms }) => at_ms)).toEqual(isShown ? [1, 2, 3] : [1, 3]);
    expect(searched.includes('Lines of more than 256 KiB were skipped.')).toBe(!isShown);
  });
});

describe('a big file', () => {
  it('of 80 MiB is searched at its end, with its small neighbour', async () => {
    const logs = await logFolder();
    await logs.write('gateway.log', line('early', 1));
    await appendFile(logs.path('gateway.log'), `${JSON.stringify(line('other', 2))}\n`.repeat(1_000_000));
    await logs.write('gateway.log', line('late', 3));
    await logs.write('auth.log', line('late', 2, { name: 'auth' }), line('early', 2, { name: 'auth' }));
    const late = await findRequest(logs.dir, 'late');
    expect(late.lines.map(({ service }) => service)).toEqual(['auth', 'gateway']);
    expect(late.searched).toMatch(/^Searched the last 6[34]\.\d MiB of 2 log files\.$/);
    expect(await found(logs, 'early')).toEqual(['auth 2 info request']);
  });

  it('with too many lines of a request ends with a bounded answer', async () => {
    const logs = await logFolder();
    await logs.write('gateway.log', ...Array.from({ length: 2_000 }, (_, at_ms) => line('a', at_ms)));
    const { lines, searched } = await findRequest(logs.dir, 'a');
    expect(lines.length).toBe(500);
    expect(searched).toContain('stopped there: it took too long, or found too many lines');
    const wide = line('b', 1, { err: 'x'.repeat(200 * KIB) });
    await logs.write('gateway.log', ...Array.from({ length: 100 }, () => wide));
    const long = await findRequest(logs.dir, 'b');
    expect(JSON.stringify(long).length).toBeLessThan(6 * MIB);
    expect(long.searched).toContain('stopped there');
  });
});

describe('a file', () => {
  it('that was truncated is searched as it is now', async () => {
    const logs = await logFolder();
    await logs.write('gateway.log', ...Array.from({ length: 1_000 }, () => line('old', 1)));
    await truncate(logs.path('gateway.log'));
    await logs.write('gateway.log', line('new', 2));
    expect(await found(logs, 'old')).toEqual([]);
    expect(await found(logs, 'new')).toEqual(['gateway 2 info request']);
  });

  it('that is rotated while it is searched takes nothing from the others', async () => {
    const logs = await logFolder();
    for (const name of ['gateway.log', 'auth.log']) await logs.write(name, line('a', 1));
    const rotation = new AbortController();
    const rotating = rotate(logs.path('gateway.log'), rotation.signal);
    try {
      for (let search = 0; search < 200; search++) {
        const { lines, searched } = await findRequest(logs.dir, 'a');
        expect(searched).toMatch(/^Searched /);
        expect(lines.length).toBeGreaterThanOrEqual(1);
      }
    } finally {
      rotation.abort();
      await rotating;
    }
  });

  it('that is gone has no lines', async () => {
    const logs = await logFolder();
    const pieces: Buffer[] = [];
    for await (const piece of readEnd(logs.path('gone.log'), MIB)) pieces.push(piece);
    expect(pieces).toEqual([]);
  });

  it('that may not be read is named, and the others are searched', async () => {
    const logs = await logFolder();
    for (const name of ['gateway.log', 'auth.log']) await logs.write(name, line('a', 1));
    await chmod(logs.path('auth.log'), 0);
    const { lines, searched } = await asOther(() => findRequest(logs.dir, 'a'));
    expect(lines.length).toBe(1);
    expect(searched).toContain('Could not read auth.log (EACCES).');
  });

  it('that changed last is searched even if there are hundreds of others', async () => {
    const logs = await logFolder();
    for (let n = 0; n < 300; n++) {
      const path = logs.path(`chat-${n}.log`);
      await writeFile(path, '');
      await utimes(path, 1, n === 150 ? 1_000 : 1);
    }
    await logs.write('chat-150.log', line('a', 1));
    await utimes(logs.path('chat-150.log'), 1_000, 1_000);
    expect(await found(logs, 'a')).toHaveLength(1);
  });
});

it('a folder that is away is named by its setting', async () => {
  const { dir, path, write } = await logFolder();
  await write('file', '');
  expect(await findRequest(`${dir}/none`, 'a')).toEqual({
    lines: [],
    searched: 'The logs in CONSOLE_LOG_DIR cannot be read: ENOENT.',
  });
  expect((await findRequest(path('file'), 'a')).searched).toContain('ENOTDIR');
});

/** Renames a file and back again until the end. */
async function rotate(path: string, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await rename(path, `${path}.1`);
    await rename(`${path}.1`, path);
  }
}

/** Runs `act` as a user whom file modes bind. */
async function asOther<T>(act: () => Promise<T>): Promise<T> {
  const { seteuid, geteuid } = process;
  if (geteuid?.() !== 0) return act();
  seteuid?.(65_534);
  try {
    return await act();
  } finally {
    seteuid?.(0);
  }
}
