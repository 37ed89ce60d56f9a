import { Fault } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { openOutbox } from '@gatehouse/kit/outbox';
import type { Pool } from 'pg';
import type { Encryption } from '../encryption/encryption.ts';
import type { AuthCounts } from '../metrics.ts';
import { claimMails, deleteMails, postponeMail, type QueuedMail } from '../store/mail/mails.ts';
import { composeMessage, type Deliver } from './compose.ts';
import { decryptEmail } from './email.ts';
import { renderEmail, TemplateError } from './render.ts';

export interface MailOutboxOptions {
  readonly db: Pool;
  readonly encryption: Encryption;
  readonly deliver: Deliver;
  readonly mail_from: string;
  readonly log: Logger;
  readonly count: AuthCounts['mail'];
}

/** Sends the rows of the table `mails`. */
export interface MailOutbox {
  /** Looks for due mails now instead of at the next interval. */
  wake(): void;
  close(): Promise<void>;
}

const AT_ONCE = 4;
/** The limit of one attempt. */
const ATTEMPT_MS = 30_000;
/** Longer than an attempt with the writes after it. After that, the replica that claimed the mail has died. */
const LEASE_MS = 60_000;
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 300_000;
const CLOSE_WITHIN_MS = 3_000;

/**
 * Sends the mails of the outbox, a few at once. A replica claims a mail before it sends it. A mail is sent twice only
 * if a replica dies, or loses the database, between sending and deleting it. Log lines have no address and no token.
 */
export function openMailOutbox(options: MailOutboxOptions): MailOutbox {
  const { db, log } = options;
  /** Sent, but not deleted yet because the database was away. They must not be sent again. */
  const sent = new Set<string>();
  const closing = new AbortController();

  async function forget(ids: string[]): Promise<void> {
    await deleteMails(db, ids);
    for (const id of ids) sent.delete(id);
  }

  const outbox = openOutbox<QueuedMail>({
    rows: {
      claim: async (limit) => {
        if (sent.size > 0) await forget([...sent]);
        return claimMails(db, limit, LEASE_MS);
      },
      forget: ({ id }) => forget([id]),
    },
    deliver: async (mail) => {
      const done = await send(options, mail, closing.signal);
      if (done) sent.add(mail.id);
      else await postponeMail(db, mail.id, backoff(mail.attempts));
      return done;
    },
    what: 'mails',
    log,
    at_once: AT_ONCE,
  });

  return {
    wake: outbox.wake,
    close: async () => {
      const impatience = setTimeout(() => closing.abort(), CLOSE_WITHIN_MS);
      await outbox.close();
      clearTimeout(impatience);
    },
  };
}

/** Whether nothing is left to do for it. */
async function send(options: MailOutboxOptions, mail: QueuedMail, closing: AbortSignal): Promise<boolean> {
  const { log, count } = options;
  const about = { mail: mail.id, attempt: mail.attempts };
  if (mail.expired) {
    count('expired');
    log.warn(about, 'a mail expired before it could be sent');
    return true;
  }
  try {
    const outcome = await attemptDelivery(options, mail, closing);
    count(outcome);
    if (outcome === 'no_mailbox') log.warn(about, 'a mail was refused: the mailbox does not exist');
    else log.debug(about, 'mail sent');
    return true;
  } catch (error) {
    count('failed');
    log.warn({ ...about, ...reasonOf(error) }, 'sending a mail failed; it will be retried');
    return false;
  }
}

async function attemptDelivery(
  { encryption, deliver, mail_from }: MailOutboxOptions,
  mail: QueuedMail,
  closing: AbortSignal,
): Promise<'delivered' | 'no_mailbox'> {
  const email = decryptEmail(encryption, mail.id, mail.encrypted);
  const rendered = await renderEmail(email);
  const message = await composeMessage({ id: mail.id, from: mail_from, to: email.to }, rendered);
  if (message.to === '') return 'delivered';
  return deliver(message, AbortSignal.any([closing, AbortSignal.timeout(ATTEMPT_MS)]));
}

/** The parts of an error that cannot contain an address. The mail server's answers may, once it has the recipient. */
function reasonOf(error: unknown): Record<string, unknown> {
  // An email that cannot be decrypted. Its cause is authored too.
  if (error instanceof Fault) return { reason: String(error.cause ?? error.reason) };
  if (!(error instanceof Error)) return {};
  const { code, command, response, responseCode, syscall } = error as Partial<Record<string, unknown>> &
    Error;
  const connecting = command === 'CONN' && response === undefined;
  const harmless = error instanceof TemplateError || connecting || typeof syscall === 'string';
  const reason = harmless ? error.message : error.name;
  return { reason, error_code: code, command, response_code: responseCode };
}

/** Doubles from attempt to attempt; jitter keeps what failed together from coming back together. */
function backoff(attempts: number): number {
  const delay = Math.min(BACKOFF_MIN_MS * 2 ** Math.min(attempts - 1, 16), BACKOFF_MAX_MS);
  return delay * (0.75 + Math.random() / 2);
}
