import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../support/run-doctor.ts';

const PASSWORD = 'planted/pass';

/** A mail server that accepts one login, and fails the test if it gets a mail. */
async function serve(options: SMTPServerOptions): Promise<number> {
  const mails: unknown[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'post@man' && password === PASSWORD
        ? done(null, { user: username })
        : done(new Error('Invalid username or password')),
    onMailFrom: ({ address }, _, done) => {
      mails.push(address);
      done();
    },
    ...options,
  });
  server.on('error', () => undefined); // refused handshakes
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    await new Promise<void>((closed) => server.close(closed));
    expect(mails).toEqual([]);
  });
  return (server.server.address() as AddressInfo).port; // it listens on TCP
}

const doctor = (SMTP_URL: string) => runDoctor('mail', { SMTP_URL });
const PLAIN: SMTPServerOptions = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true };

test('the login is tried, and no mail is sent', async () => {
  const port = await serve(PLAIN);
  expect(await doctor(`smtp://post%40man:planted%2Fpass@127.0.0.1:${port}?logger=true`)).toMatchObject([
    { status: 'ok', text: 'without TLS, on this machine' },
    { status: 'ok', text: 'accepts the login' },
  ]);
  const refused = await doctor(`smtp://post%40man:planted@127.0.0.1:${port}`);
  expect(refused).toMatchObject([{ status: 'problem', text: expect.stringContaining('refuses the login') }]);
  expect(JSON.stringify(refused)).not.toContain('planted');
});

test('a certificate that nobody trusts is a problem, unless the URL allows it', async () => {
  const port = await serve({}); // STARTTLS with a self-signed certificate
  expect(await doctor(`smtp://127.0.0.1:${port}`)).toMatchObject([
    { status: 'problem', text: expect.stringContaining('certificate') },
  ]);
  expect(await doctor(`smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`)).toMatchObject([
    { status: 'ok', text: 'TLS' },
    { status: 'ok', text: 'answers; SMTP_URL has no login' },
  ]);
});

test('a server without STARTTLS is a problem if the URL requires it', async () => {
  const port = await serve(PLAIN);
  expect(await doctor(`smtp://127.0.0.1:${port}?requireTLS=true`)).toMatchObject([{ status: 'problem' }]);
});

test.each([
  ['no server', 'smtp://127.0.0.1:1', 'does not answer'],
  ['another protocol', 'http://127.0.0.1', 'is no URL with smtp:// or smtps://'],
])('%s is a problem', async (_, url, text) => {
  expect(await doctor(url)).toMatchObject([{ status: 'problem', text: expect.stringContaining(text) }]);
});
