import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { freePort } from '@gatehouse/dev-env/free-port';
import { createLogger } from '@gatehouse/kit/log';
import { afterEach, expect, test } from 'vitest';
import { type AuthOptions, type AuthUnderTest, IN_TIME, newcomer, startAuth } from '../auth.ts';
import { type SmtpServer, startSmtp } from './smtp.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const smtp = async (...options: Parameters<typeof startSmtp>): Promise<SmtpServer> => {
  const server = await startSmtp(...options);
  opened.push(server);
  return server;
};

/** The service with mail over SMTP, and every line it logs. */
async function authOver(
  smtp_url: string,
  options: AuthOptions = {},
): Promise<AuthUnderTest & { readonly lines: string[] }> {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ name: 'auth', level: 'trace', destination });
  const service = await startAuth('auth_smtp', { log, ...options, config: { smtp_url, ...options.config } });
  opened.push(service);
  return { ...service, lines };
}

const queued = async ({ db }: AuthUnderTest) => (await db.query('SELECT FROM mails')).rowCount;

test("a mail is sent over SMTP with the URL's login and deleted from the outbox", async () => {
  const logins: unknown[] = [];
  const server = await smtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      logins.push({ username, password });
      done(null, { user: username });
    },
  });
  const service = await authOver(
    `smtp://post%40man:planted%2Fpass@127.0.0.1:${server.port}?logger=true&debug=true`,
  );
  const { email } = newcomer();
  await service.auth.register(newcomer({ email }), IN_TIME);
  await expect.poll(() => server.accepted).toHaveLength(1);
  await expect.poll(() => queued(service)).toBe(0);

  expect(logins).toEqual([{ username: 'post@man', password: 'planted/pass' }]);
  const [mail] = server.accepted;
  expect(mail).toMatchObject({
    to: email,
    subject: 'Verify your e-mail address',
    envelope: { from: 'no-reply@localhost', to: [email] },
  });
  expect(mail?.url).toBe(`http://127.0.0.1:8080/verify#token=${mail?.token}`);
  await service.auth.verifyEmail({ token: mail?.token ?? '' }, IN_TIME);
  for (const secret of ['planted', email, mail?.token]) expect(service.lines.join('')).not.toContain(secret);
});

test('a server with an untrusted certificate gets no mail, unless the URL allows it', async () => {
  const server = await smtp({ disabledCommands: [] }); // STARTTLS with a self-signed certificate
  const strict = await authOver(`smtp://127.0.0.1:${server.port}`);
  await strict.auth.register(newcomer(), IN_TIME);
  await expect.poll(() => strict.lines.join('')).toContain('certificate');
  expect(server.accepted).toEqual([]);

  const trusting = await startAuth('auth_smtp_trusting', {
    config: { smtp_url: `smtp://127.0.0.1:${server.port}?tls.rejectUnauthorized=false` },
  });
  opened.push(trusting);
  await trusting.auth.register(newcomer(), IN_TIME);
  await expect.poll(() => server.accepted).toHaveLength(1);
});

test('while the mail server is unavailable, requests succeed and mail waits, encrypted; it is then sent once', async () => {
  const port = await freePort();
  const service = await authOver(`smtp://127.0.0.1:${port}`);
  const { email } = newcomer();
  await service.auth.register(newcomer({ email }), IN_TIME);
  await service.auth.forgotPassword({ email }, IN_TIME);
  await expect.poll(() => service.lines.join('')).toContain('ECONNREFUSED');
  const waiting = await service.db.query<{ row: string }>('SELECT t::text AS row FROM mails AS t');
  expect(waiting.rows).toHaveLength(2);
  const tokens = await service.db.query<{ row: string }>('SELECT t::text AS row FROM mail_tokens AS t');

  const server = await smtp({}, port);
  await expect.poll(() => server.accepted).toHaveLength(2);
  await expect.poll(() => queued(service)).toBe(0);
  expect(server.accepted.map(({ subject }) => subject).sort()).toEqual([
    'Set a new password',
    'Verify your e-mail address',
  ]);
  const dump = [...waiting.rows, ...tokens.rows].map(({ row }) => row).join('\n');
  for (const { token } of server.accepted) {
    for (const secret of [token, email]) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64'),
      ]) {
        if (form !== email) expect(dump).not.toContain(form);
      }
      expect(service.lines.join('')).not.toContain(secret);
    }
    expect(token).toHaveLength(43);
  }
  expect(waiting.rows.map(({ row }) => row).join('\n')).not.toContain(email);
});

test('no request waits for a silent mail server, and a later attempt succeeds', async () => {
  let connections = 0;
  const server = await smtp({
    onConnect: (_session, done) => {
      connections++;
      if (connections > 1) done();
    },
  });
  const service = await authOver(`smtp://127.0.0.1:${server.port}?greetingTimeout=1500`);
  const timedOut = () => service.lines.join('').includes('ETIMEDOUT');
  await service.auth.register(newcomer(), IN_TIME);
  expect(timedOut(), 'the request was answered before the attempt ended').toBe(false);
  await expect.poll(() => server.accepted).toHaveLength(1);
  expect(connections).toBeGreaterThan(1);
  expect(timedOut()).toBe(true);
});

test.each([
  ['says why it hangs up', (to: string) => `421 4.3.2 ${to} has to wait\r\n`],
  ['refuses the recipient temporarily', (to: string) => `554 5.7.1 ${to} has to wait\r\n`],
  ['talks nonsense', (to: string) => `${to} has to wait\r\n`],
])('the log has no address if the server %s and names the recipient', async (_what, answer) => {
  const rude = createServer((socket) => {
    socket.write('220 here\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const [, to] = /^RCPT TO:(\S+)/m.exec(chunk.toString()) ?? [];
      if (to === undefined) socket.write('250 fine\r\n');
      else socket.end(answer(to));
    });
  });
  rude.listen(0, '127.0.0.1');
  await once(rude, 'listening');
  opened.push({ close: () => new Promise((resolve) => rude.close(() => resolve())) });
  const { port } = rude.address() as AddressInfo; // from a TCP server, it is an address
  const service = await authOver(`smtp://127.0.0.1:${port}`);
  await service.auth.register(newcomer({ email: 'somebody@planted.example' }), IN_TIME);
  await expect.poll(() => service.lines.join('')).toContain('it will be retried');
  expect(service.lines.join('')).not.toContain('planted.example');
  expect(service.lines.join('')).not.toContain('has to wait');
});

test('a mail is retried after a broken connection and accepted once', async () => {
  const broken = createServer((socket) => {
    socket.write('220 here\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const said = chunk.toString();
      if (/^DATA/m.test(said)) socket.write('354 go on\r\n');
      else if (/^(?:EHLO|MAIL|RCPT)/m.test(said)) socket.write('250 fine\r\n');
      else socket.destroy(); // the mail itself
    });
  });
  const port = await freePort();
  broken.listen(port, '127.0.0.1');
  await once(broken, 'listening');
  const service = await authOver(`smtp://127.0.0.1:${port}`);
  await service.auth.register(newcomer(), IN_TIME);
  await expect.poll(() => service.lines.join('')).toContain('it will be retried');
  await new Promise((resolve) => broken.close(resolve));

  const server = await smtp({}, port);
  await expect.poll(() => server.accepted).toHaveLength(1);
  await expect.poll(() => queued(service)).toBe(0);
  expect(server.accepted).toHaveLength(1);
});

test('mail to a mailbox that does not exist is not retried; mail to a full one is', async () => {
  const attempts: string[] = [];
  const server = await smtp({
    onRcptTo: ({ address }, _session, done) => {
      attempts.push(address);
      const temporary = attempts.filter((one) => one === address).length === 1;
      if (address.startsWith('nobody')) done(refusal(550, `<${address}> unknown`));
      else if (temporary) done(refusal(452, `<${address}> is full`));
      else done();
    },
  });
  const service = await authOver(`smtp://127.0.0.1:${server.port}`);
  await service.auth.register(newcomer({ email: 'nobody@planted.example' }), IN_TIME);
  await service.auth.register(newcomer({ email: 'full@planted.example' }), IN_TIME);
  await expect.poll(() => server.accepted).toHaveLength(1);
  await expect.poll(() => queued(service)).toBe(0);
  expect(attempts.sort()).toEqual(['full@planted.example', 'full@planted.example', 'nobody@planted.example']);
  const log = service.lines.join('');
  expect(log).toContain('the mailbox does not exist');
  expect(log).toContain('"response_code":452');
  expect(log).not.toContain('planted.example');
});

test('a refusal with the code of a missing mailbox but another cause is retried', async () => {
  const attempts: string[] = [];
  const server = await smtp({
    onRcptTo: ({ address }, _session, done) => {
      attempts.push(address);
      const first = attempts.filter((one) => one === address).length === 1;
      if (address.startsWith('nobody')) done(refusal(550, `5.1.1 <${address}> unknown`));
      else if (first) done(refusal(550, address.startsWith('x') ? '5.7.1 Unable to relay' : '5.1.8 Who?'));
      else done();
    },
  });
  const service = await authOver(`smtp://127.0.0.1:${server.port}`);
  await service.auth.register(newcomer({ email: 'nobody@planted.example' }), IN_TIME);
  await service.auth.register(newcomer({ email: 'x@planted.example' }), IN_TIME);
  await service.auth.register(newcomer({ email: 'y@planted.example' }), IN_TIME);
  await expect.poll(() => server.accepted).toHaveLength(2);
  await expect.poll(() => queued(service)).toBe(0);
  expect(attempts.filter((one) => one.startsWith('nobody'))).toHaveLength(1);
});

test('two replicas send each mail once', async () => {
  const server = await smtp();
  const service = await authOver(`smtp://127.0.0.1:${server.port}`);
  const other = await service.replica();
  const people = Array.from({ length: 24 }, () => newcomer());
  await Promise.all(
    people.map((person, n) => (n % 2 === 0 ? service.auth : other).register(person, IN_TIME)),
  );
  await Promise.all(
    people.map(({ email }, n) => (n % 2 === 0 ? other : service.auth).forgotPassword({ email }, IN_TIME)),
  );
  await expect.poll(() => queued(service)).toBe(0);
  expect(server.accepted).toHaveLength(48);
  expect(new Set(server.accepted.map(({ token }) => token)).size).toBe(48);
});

test('a mail claimed by a dead replica is claimed again after the lease', async () => {
  const port = await freePort();
  const service = await authOver(`smtp://127.0.0.1:${port}`);
  await service.auth.register(newcomer(), IN_TIME);
  await expect.poll(() => service.lines.join('')).toContain('it will be retried');
  const lease = await service.db.query(
    "UPDATE mails SET next_attempt_at = now() + interval '60 seconds', attempts = attempts + 1",
  );
  expect(lease.rowCount).toBe(1);
  const server = await smtp({}, port);
  await service.auth.register(newcomer(), IN_TIME);
  await expect.poll(() => server.accepted).toHaveLength(1);
  await expect.poll(() => queued(service)).toBe(1);
  await service.db.query('UPDATE mails SET next_attempt_at = now()');
  await expect.poll(() => server.accepted).toHaveLength(2);
});

test('a mail whose encryption key is not configured waits, and the log says why', async () => {
  const service = await authOver(`smtp://127.0.0.1:${await freePort()}`);
  await service.auth.register(newcomer(), IN_TIME);
  await expect.poll(() => service.lines.join('')).toContain('it will be retried');
  await service.db.query(
    "UPDATE mails SET letter = '\\x00000000'::bytea || substring(letter FROM 5), next_attempt_at = now()",
  );
  await expect.poll(() => service.lines.join('')).toContain('AUTH_SECRET_KEY');
  expect(await queued(service)).toBe(1);
});

test('an expired mail is not sent', async () => {
  const port = await freePort();
  const service = await authOver(`smtp://127.0.0.1:${port}`);
  const { email } = newcomer();
  await service.auth.register(newcomer({ email }), IN_TIME);
  await expect.poll(() => service.lines.join('')).toContain('it will be retried');
  await service.db.query('UPDATE mails SET expires_at = now(), next_attempt_at = now()');
  await expect.poll(() => queued(service)).toBe(0);
  expect(service.lines.join('')).toContain('expired before it could be sent');

  const server = await smtp({}, port);
  await service.auth.forgotPassword({ email }, IN_TIME);
  await expect.poll(() => server.accepted).toHaveLength(1);
  expect(server.accepted[0]?.subject).toBe('Set a new password');
});

test('the service closes in time while a mail server hangs', async () => {
  let connected = 0;
  const server = await smtp({ onConnect: () => connected++ });
  const service = await startAuth('auth_smtp_close', {
    config: { smtp_url: `smtp://127.0.0.1:${server.port}?greetingTimeout=60000&connectionTimeout=60000` },
  });
  await service.auth.register(newcomer(), IN_TIME);
  await expect.poll(() => connected).toBe(1);
  const startedAt = performance.now();
  await service.close();
  expect(performance.now() - startedAt).toBeLessThan(8_000);
});

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
