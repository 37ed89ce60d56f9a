import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { line } from '../logs/log-folder.ts';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { commandOf, type Visitor } from '../visitor.ts';

const STRANGE = [
  '.*',
  '(',
  '\\',
  '"',
  '%',
  '%2F',
  '../../etc/passwd',
  '/',
  '?a=b',
  '#',
  "';--",
  'a b',
  '$&',
  '{',
  '~',
];
const LONGEST = '/'.repeat(128);

let folder: string;
let service: ConsoleUnderTest;
let command: Visitor;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-console-requests-'));
  const lines = [...STRANGE, LONGEST].map((id, at_ms) => `${JSON.stringify(line(id, at_ms))}\n`);
  await writeFile(join(folder, 'gateway.log'), lines.join(''));
  service = await startConsole('console_requests', {
    log_dir: folder,
    log_url: 'https://logs.example.com/{request_id}?q={request_id}',
  });
  command = await commandOf(service, 'reader', 'read');
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const path = (id: string) => `/api/requests/${encodeURIComponent(id)}`;

describe('the page of a request', () => {
  it.each([...STRANGE, LONGEST])('with the ID %j has its line, and leads to the log system', async (id) => {
    const { status, body } = await command.get(path(id));
    expect(status).toBe(200);
    expect((body.lines as { json: string }[]).map(({ json }) => JSON.parse(json).request_id)).toEqual([id]);
    expect(body.searched).toBe('Searched all of 1 log file, 0.0 MiB.');
    const encoded = encodeURIComponent(id);
    expect(body.url).toBe(`https://logs.example.com/${encoded}?q=${encoded}`);
  });

  it.each(['\n', 'a\tb', '\0', 'é', '🦊', 'a'.repeat(129)])('with the ID %j is refused', async (id) => {
    const { status, body } = await command.get(path(id));
    expect([status, body.code]).toEqual([400, 'INVALID_FORM_BODY']);
  });

  it('without lines says what was searched', async () => {
    const { body } = await command.get(path('nothing'));
    expect(body).toMatchObject({ lines: [], searched: 'Searched all of 1 log file, 0.0 MiB.' });
  });
});

it('without a folder of logs, the page names the setting', async () => {
  const other = await startConsole('console_no_logs');
  try {
    const { body } = await (await commandOf(other, 'reader', 'read')).get(path('a'));
    expect(body).toEqual({
      lines: [],
      searched: expect.stringContaining('CONSOLE_LOG_DIR is not set') as unknown,
    });
  } finally {
    await other.close();
  }
});
