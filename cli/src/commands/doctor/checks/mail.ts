import { isLoopback } from '@gatehouse/kit/net/host-port';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isUrl } from '../../../options/parsers.ts';
import {
  type CheckContext,
  type Finding,
  ok,
  problem,
  STEP_TIMEOUT_MS,
  skipped,
  warning,
} from '../finding.ts';

/** Connects to SMTP_URL as auth does: EHLO, STARTTLS and the login, but no mail. */
export async function checkMail({ env }: CheckContext): Promise<readonly Finding[]> {
  const { SMTP_URL } = env;
  if (!SMTP_URL) return [skipped('SMTP_URL', 'is not set: mails are files in DATA_DIR/mail')];
  if (!isUrl(SMTP_URL, ['smtp', 'smtps']))
    return [problem('SMTP_URL', 'is no URL with smtp:// or smtps://', 'Correct it.')];
  const server = new URL(SMTP_URL).host;
  const connection = await openConnection(SMTP_URL);
  try {
    await connected(connection);
    const findings = [tlsFinding(server, connection)];
    const { username, password } = new URL(SMTP_URL);
    if (username === '') return [...findings, ok(server, 'answers; SMTP_URL has no login')];
    const login = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    await loggedIn(connection, login);
    return [...findings, ok(server, 'accepts the login')];
  } catch (error) {
    return [failure(server, error as Error & { code?: string })];
  } finally {
    connection.close();
  }
}

async function openConnection(url: string): Promise<SMTPConnection> {
  const [{ default: Transport }, { default: Connection }] = await Promise.all([
    import('nodemailer/lib/smtp-transport'),
    import('nodemailer/lib/smtp-connection'),
  ]);
  // The transport reads the URL as auth's does.
  const { options } = new Transport({ url: withoutLogging(url) });
  const timeouts = {
    dnsTimeout: STEP_TIMEOUT_MS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
  };
  return new Connection({ ...options, ...timeouts });
}

/** Leaves out the options that make nodemailer print the password. */
function withoutLogging(url: string): string {
  const parsed = new URL(url);
  for (const name of ['logger', 'debug', 'transactionLog']) parsed.searchParams.delete(name);
  return parsed.href;
}

function connected(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.on('error', reject); // also later errors, which nobody waits for
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
}

function loggedIn(connection: SMTPConnection, credentials: { user: string; pass: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    connection.login({ credentials }, (error) => (error ? reject(error) : resolve()));
  });
}

function tlsFinding(server: string, { secure }: SMTPConnection): Finding {
  if (secure) return ok(server, 'TLS');
  if (isLoopback(server.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')))
    return ok(server, 'without TLS, on this machine');
  return warning(
    server,
    'offers no STARTTLS: mails, and the login, are sent in the clear',
    'Use smtps://, or ?requireTLS=true to refuse such a server.',
  );
}

function failure(server: string, { code, message }: Error & { code?: string }): Finding {
  const text = message.replace(/\s+/g, ' ');
  if (code === 'EAUTH')
    return problem(
      server,
      `refuses the login: ${text}`,
      'Correct user and password of SMTP_URL; % is %25 there.',
    );
  if (code === 'ETLS' || (code === 'ESOCKET' && !text.startsWith('connect ')))
    return problem(
      server,
      `TLS fails: ${text}`,
      'Look at its certificate, the port, and smtp:// or smtps://.',
    );
  const advice = 'Look at host and port of SMTP_URL, and at the firewall.';
  return problem(server, `does not answer: ${text}`, advice);
}
