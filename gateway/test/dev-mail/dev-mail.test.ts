import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from '../support/edge.ts';
import { type Answer, httpClient, type SendOptions } from '../support/http.ts';

interface Listed {
  readonly mails: readonly { readonly id: string; readonly to: string; readonly subject: string }[];
  readonly total: number;
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dev-mail-'));
const web_dir = join(folder, 'web');
const dev_mail_dir = join(folder, 'mail');
const MAILS = '//dev/mail/messages';
const HTML = { accept: 'text/html' };

let edge: Edge;
let production: Edge;
let close: () => void;
/** Not the edge's own `send`: these answers allow no other origin. */
let send: (line: string, options?: SendOptions) => Promise<Answer>;

beforeAll(async () => {
  mkdirSync(join(web_dir, 'dev'), { recursive: true });
  writeFileSync(join(web_dir, 'index.html'), '<title>Home</title>');
  writeFileSync(join(web_dir, '404.html'), '<title>Not found</title>');
  writeFileSync(join(web_dir, 'dev/mail.html'), '<title>Mailbox</title>');
  writeFileSync(join(web_dir, 'dev/components.html'), '<title>Components</title>');
  edge = await startEdge({ config: { web_dir, dev_mail_dir } });
  production = await startEdge({ config: { web_dir } });
  const client = httpClient(edge.host, edge.port);
  send = client.send;
  close = client.close;
});
afterAll(async () => {
  close();
  await edge.close();
  await production.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  rmSync(dev_mail_dir, { recursive: true, force: true });
  mkdirSync(dev_mail_dir);
  edge.log.length = 0;
});

function mailOf(
  to: string,
  subject: string,
  html = '<html><head></head><body><p>Hello</p></body></html>',
): string {
  return [
    'From: Gatehouse <no-reply@localhost>',
    `To: ${to}`,
    `Subject: ${subject}`,
    'Date: Sat, 28 Nov 2026 08:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Gr=C3=BC=C3=9Fe: http://localhost/verify#token=3Dabc',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--b--',
    '',
  ].join('\r\n');
}

function put(id: string, content: string | Buffer = mailOf('ann@example.com', `Mail ${id}`)): void {
  writeFileSync(join(dev_mail_dir, `${id}.eml`), content);
}

const list = async () => (await send(`GET ${MAILS}`)).json<Listed>();

describe('the mailbox', () => {
  it('lists the newest mails first, by their IDs as numbers', async () => {
    put('9');
    put('10', mailOf('"Bo, B." <bo@example.com>', '=?utf-8?B?2YXYsdit2KjYpw==?='));
    const answer = await send(`GET ${MAILS}`);
    expect(answer.json()).toEqual({
      mails: [
        { id: '10', to: 'bo@example.com', subject: 'مرحبا', sent_at: '2026-11-28T08:00:00.000Z' },
        { id: '9', to: 'ann@example.com', subject: 'Mail 9', sent_at: '2026-11-28T08:00:00.000Z' },
      ],
      total: 2,
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('is empty before the first mail, which makes the folder', async () => {
    rmSync(dev_mail_dir, { recursive: true });
    expect(await list()).toEqual({ mails: [], total: 0 });
  });

  it('shows the parts of a mail, and its source', async () => {
    put('7');
    expect((await send(`GET ${MAILS}/7`)).json()).toEqual({
      id: '7',
      from: 'no-reply@localhost',
      to: 'ann@example.com',
      subject: 'Mail 7',
      sent_at: '2026-11-28T08:00:00.000Z',
      text: expect.stringContaining('Grüße: http://localhost/verify#token=abc'),
      has_html: true,
      source: mailOf('ann@example.com', 'Mail 7'),
      is_cut: false,
    });
  });

  it('sends the HTML in a sandbox without scripts, with links that open in a new tab', async () => {
    put(
      '7',
      mailOf(
        'ann@example.com',
        'x',
        '<html><HEAD lang="en"></HEAD><body><script>alert(1)</script></body></html>',
      ),
    );
    const document = await send(`GET ${MAILS}/7/html`);
    expect(document.text).toMatch(/^<html><HEAD lang="en"><base target="_blank"><\/HEAD>/);
    const policy = document.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      'sandbox allow-popups allow-popups-to-escape-sandbox',
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]);
    expect(document.headers.get('cache-control')).toBe('no-store');
    expect(document.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('has no HTML of a mail in plain text', async () => {
    put('7', 'To: ann@example.com\r\n\r\nHello');
    expect((await send(`GET ${MAILS}/7`)).json()).toMatchObject({
      text: 'Hello\n',
      has_html: false,
      subject: '',
    });
    expect((await send(`GET ${MAILS}/7/html`)).status).toBe(404);
  });

  it('lists files that are no mails with empty members, and other entries not at all', async () => {
    put('1', '');
    put('2', Buffer.alloc(40_000, 0xff));
    put('3', `To: ${'x'.repeat(60_000)}`);
    put('4', `${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(2_000)}`);
    for (const name of ['.5.tmp', 'notes.eml', '6.eml.bak', '-7.eml', `${'8'.repeat(21)}.eml`])
      writeFileSync(join(dev_mail_dir, name), mailOf('ann@example.com', name));
    mkdirSync(join(dev_mail_dir, '9.eml'));
    symlinkSync('/etc/hostname', join(dev_mail_dir, '10.eml'));
    const { mails, total } = await list();
    expect(mails.map(({ id, subject }) => [id, subject])).toEqual(['4', '3', '2', '1'].map((id) => [id, '']));
    expect(total).toBe(4);
    for (const { id } of mails) expect((await send(`GET ${MAILS}/${id}`)).status).toBe(200);
    for (const id of ['9', '10']) expect((await send(`GET ${MAILS}/${id}`)).status).toBe(404);
  });

  it('shows the beginning of a file of 3 MB', async () => {
    put('7', mailOf('ann@example.com', 'Long') + 'x'.repeat(3_000_000));
    const mail = (await send(`GET ${MAILS}/7`)).json<{ source: string; is_cut: boolean; subject: string }>();
    expect([mail.subject, mail.is_cut, mail.source.length]).toEqual(['Long', true, 1024 * 1024]);
  });

  it('lists 200 of 250 mails, and again after files have vanished or come', async () => {
    for (let id = 1; id <= 250; id++) put(String(id));
    const { mails, total } = await list();
    expect([mails.length, mails[0]?.id, mails.at(-1)?.id, total]).toEqual([200, '250', '51', 250]);
    rmSync(join(dev_mail_dir, '250.eml'));
    put('251');
    const after = await list();
    expect([after.mails[0]?.id, after.mails[1]?.id, after.total]).toEqual(['251', '249', 250]);
    expect((await send(`GET ${MAILS}/250`)).status).toBe(404);
  });

  it('answers while files vanish', async () => {
    for (let id = 1; id <= 100; id++) put(String(id));
    const answers = Array.from({ length: 8 }, () => send(`GET ${MAILS}`));
    rmSync(dev_mail_dir, { recursive: true });
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
    expect(await list()).toEqual({ mails: [], total: 0 });
  });

  it('deletes the mails up to one, and keeps later ones', async () => {
    for (const id of ['9', '10', '11']) put(id);
    const deleted = await send(`DELETE ${MAILS}?up_to=10`, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(await readdir(dev_mail_dir)).toEqual(['11.eml']);
    expect((await send(`DELETE ${MAILS}?up_to=10`, { body: { any: 'body' } })).status).toBe(204);
  });

  it.each(['', '?up_to=', '?up_to=-1', '?up_to=1e9', '?up_to=..%2F1', `?up_to=${'9'.repeat(21)}`])(
    'deletes nothing with the query %s',
    async (query) => {
      put('1');
      expect((await send(`DELETE ${MAILS}${query}`)).status).toBe(404);
      expect(await readdir(dev_mail_dir)).toEqual(['1.eml']);
    },
  );

  it('logs the route, without the ID', async () => {
    put('7');
    await send(`GET ${MAILS}/7`);
    await expect
      .poll(() => edge.log.map((line) => JSON.parse(line).route))
      .toEqual(['/dev/mail/messages/{id}']);
  });
});

describe('pages for developers', () => {
  it.each([
    ['mail', 'Mailbox'],
    ['components', 'Components'],
  ])('/dev/%s is served on this machine', async (name, title) => {
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080']) {
      const page = await send(`GET //dev/${name}`, { headers: { host } });
      expect([page.status, page.text]).toEqual([200, `<title>${title}</title>`]);
    }
    const policy = (await send(`GET //dev/${name}`)).headers.get('content-security-policy');
    expect(policy?.includes("frame-src 'self'")).toBe(name === 'mail');
    expect((await send(`GET //dev/${name}/`)).status).toBe(308);
  });

  const paths = [
    '/dev/mail',
    '/dev/mail/',
    '/dev/components',
    ...['', '/7', '/7/html'].map((end) => `/dev/mail/messages${end}`),
  ];
  const strangers = [
    { host: 'evil.example' },
    { host: 'localhost.evil.example:8080' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 proxy' },
  ];

  it.each(paths.flatMap((path) => strangers.map((headers) => [path, headers] as const)))(
    '%s answers as an unknown path to %j',
    async (path, headers) => {
      put('7');
      await expectUnknown(send, path, headers);
    },
  );

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }, { origin: 'null' }])(
    'mails answer as an unknown path to a request with %j',
    async (headers) => {
      put('7');
      for (const path of paths.filter((one) => one.includes('messages')))
        await expectUnknown(send, path, headers);
      expect((await send(`DELETE ${MAILS}?up_to=7`, { headers })).status).toBe(404);
      expect(await readdir(dev_mail_dir)).toEqual(['7.eml']);
    },
  );

  it.each(paths)('%s does not exist outside of development', async (path) => {
    put('7');
    const client = httpClient(production.host, production.port);
    try {
      await expectUnknown(client.send, path, {});
      expect((await client.send(`DELETE ${MAILS}?up_to=7`)).status).toBe(404);
      expect(await readdir(dev_mail_dir)).toEqual(['7.eml']);
    } finally {
      client.close();
    }
  });

  it.each(['/7a', '/7/source', '/..%2f..%2fetc', `/${'7'.repeat(21)}`, '/%37/html/x', '/7/'])(
    'has nothing at /dev/mail/messages%s',
    async (end) => {
      put('7');
      expect((await send(`GET ${MAILS}${end}`)).status).toBe(404);
    },
  );

  it.each(['POST', 'PUT', 'PATCH'])('answers %s as for an unknown path', async (method) => {
    expect((await send(`${method} ${MAILS}`, { body: {} })).json()).toMatchObject({ code: 'NOT_FOUND' });
  });
});

/** Expects the answers of an unknown path, to browsers and to others. */
async function expectUnknown(
  ask: (line: string, options?: SendOptions) => Promise<Answer>,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (const accept of [{}, HTML]) {
    const answers = await Promise.all(
      [path, '/dev/nothing'].map((one) => ask(`GET /${one}`, { headers: { ...headers, ...accept } })),
    );
    const [found, unknown] = answers.map((answer) => {
      const names = ['date', 'x-request-id'];
      return {
        status: answer.status,
        text: answer.text,
        headers: [...answer.headers].filter(([name]) => !names.includes(name)),
      };
    });
    expect(found).toEqual(unknown);
    expect(found?.status).toBe(404);
  }
}
