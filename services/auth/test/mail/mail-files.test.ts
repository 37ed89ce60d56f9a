import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultOf, violationsOf } from '@gatehouse/dev-env/faults';
import { createLogger } from '@gatehouse/kit/log';
import { anonymous } from '@gatehouse/kit/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthUnderTest, IN_TIME, newcomer, startAuth } from '../auth.ts';
import { everyRow } from '../every-row.ts';
import { mailTo } from '../mails.ts';

const lines: string[] = [];
let service: AuthUnderTest;
beforeAll(async () => {
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ name: 'auth', level: 'trace', destination });
  service = await startAuth('auth_mail_files', { log, config: { web_app_url: 'https://app.example.com/x' } });
});
afterAll(() => service.close());

test('without SMTP a mail is a file that only its owner can read, complete when it appears', async () => {
  const person = newcomer();
  await service.auth.register(person, IN_TIME);
  const { raw, subject, text, html, token, url } = await mailTo(service.mail_dir, person.email);

  expect((await stat(service.mail_dir)).mode & 0o777).toBe(0o700);
  const files = await readdir(service.mail_dir);
  expect(files).toEqual([expect.stringMatching(/^[0-9]+\.eml$/)]);
  expect((await stat(join(service.mail_dir, String(files[0])))).mode & 0o777).toBe(0o600);

  expect(subject).toBe('Verify your e-mail address');
  expect(raw).toMatch(/^From: Gatehouse <no-reply@localhost>\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).toMatch(/^Content-Transfer-Encoding: 7bit\r$/m);
  expect(raw).not.toMatch(/[^\r]\n|[^\t\r\n\x20-\x7e]/);
  expect(url).toBe(`https://app.example.com/x/verify#token=${token}`);
  expect(text).toContain(`Hello ${person.username},\n`);
  expect(html).toContain(`>${token}</code>`);
  expect(html).toContain(`href="https://app.example.com/x/verify#token&#x3D;${token}"`);
});

test('text chosen by users forges no header, line, markup or HTML link', async () => {
  const from = (ip: string, user_agent = '') => ({ ...IN_TIME, caller: { ...anonymous, ip, user_agent } });
  const person = newcomer({ username: `www.evil.example${process.pid}` });
  await service.auth.register(person, from('203.0.113.9'));
  const forged =
    'evil.example/1\r\nBcc: all@example.com\r\n\r\n<a href="http://evil.example">{{token}}</a>\u{1f980}';
  const held = await faultOf(service.auth.login(person, from('198.51.100.7', forged)));
  expect(held.reason).toBe('IP_AUTHORIZATION_REQUIRED');

  const { raw, text, html, token, url } = await mailTo(service.mail_dir, person.email, 2);
  expect(raw).not.toMatch(/^Bcc:/m);
  expect(raw).not.toMatch(/[^\t\r\n\x20-\x7e]/);
  expect(url).toBe(`https://app.example.com/x/authorize-ip#token=${token}`);
  expect(text.split('\n').filter((line) => line.includes('evil'))).toEqual([
    `Hello ${person.username},`,
    expect.stringMatching(/^Device: /),
    `Gatehouse sent this mail because of the account ${person.username}.`,
  ]);
  expect(text).toContain('Address: 198.51.*.*\n');
  expect(html.match(/<a\s/g)).toHaveLength(2); // the button, and the same link as text
  expect(html).not.toContain('evil.example');
  expect(html).toContain('evil.&#8288;example');
});

test('an unwritable folder delays mail and nothing else', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'));
  const mail_dir = join(dir, 'mail');
  await writeFile(mail_dir, 'in the way');
  const other = await startAuth('auth_mail_in_the_way', { config: { mail_dir } });
  try {
    const person = newcomer();
    await other.auth.register(person, IN_TIME);
    await expect
      .poll(async () => (await other.db.query('SELECT FROM mails WHERE attempts > 1')).rowCount)
      .toBe(1);
    await rm(mail_dir);
    await mailTo(mail_dir, person.email);
  } finally {
    await other.close();
    await rm(dir, { recursive: true });
  }
});

test('the content of mail is in no table and no log', async () => {
  const person = newcomer({ email: 'planted.mail@example.com', password: 'planted password 1' });
  await service.auth.register(person, IN_TIME);
  const { token: verify } = await mailTo(service.mail_dir, person.email, 1);
  await service.auth.forgotPassword({ email: person.email }, IN_TIME);
  const { token: unused } = await mailTo(service.mail_dir, person.email, 2);
  await service.auth.forgotPassword({ email: person.email }, IN_TIME);
  const { token: reset } = await mailTo(service.mail_dir, person.email, 3);
  const before = await everyRow(service.db);
  await service.auth.checkResetToken({ token: reset }, IN_TIME);
  await service.auth.verifyEmail({ token: verify }, IN_TIME);
  await violationsOf(service.auth.verifyEmail({ token: verify }, IN_TIME));
  await service.auth.resetPassword({ token: reset, password: 'planted password 2' }, IN_TIME);
  await violationsOf(service.auth.resetPassword({ token: unused, password: 'planted password 3' }, IN_TIME));

  const everything = [before, await everyRow(service.db), lines.join('')].join('\n');
  expect(everything).toContain('AuthService/ResetPassword');
  expect(everything).toContain('email.verified');
  for (const secret of [verify, unused, reset, 'planted password']) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(secret).toString('hex'));
    expect(everything).not.toContain(Buffer.from(secret).toString('base64'));
  }
  expect(lines.join('')).not.toContain('planted.mail');
});
