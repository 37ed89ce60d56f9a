import { Fault } from '@gatehouse/kit/fault';
import type { Job } from '@gatehouse/kit/job';
import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Branding } from '@gatehouse/kit/process/branding';
import type { Pool } from 'pg';
import type { Encryption } from '../encryption/encryption.ts';
import type { AuthCounts } from '../metrics.ts';
import { claimMails, deleteMails, postponeMail, type QueuedMail } from '../store/mail/mails.ts';
import { composeMessage, type Deliver } from './compose-message.ts';
import { decryptEmail } from './email.ts';
import { renderEmail, TemplateError } from './render-email.ts';

export interface MailQueueOptions {
  readonly db: Pool;
  readonly encryption: Encryption;
  readonly deliver: Deliver;
  readonly mail_from: string;
  readonly branding: Branding;
  /** Whether the parts may have 8-bit text, which not every mail server accepts (RFC 6152). */
  readonly eight_bit: boolean;
  readonly log: Logger;
  readonly count: AuthCounts['mail'];
}

const AT_ONCE = 4;
const ATTEMPT_TIMEOUT_MS = 30_000;
/** Longer than an attempt and the writes after it: when it ends, the replica that claimed the mail has died. */
const LEASE_MS = 60_000;
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 300_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Sends the rows of the table `mails`, a few at once. A replica claims a mail before it sends it. A mail is sent twice
 * only if a replica dies, or loses the database, between sending and deleting it. Log lines contain no address and no
 * token.
 */
export class MailQueue {
  readonly #options: MailQueueOptions;
  readonly #outbox: Outbox<QueuedMail>;
  /** IDs of sent mails that could not be deleted yet. They must not be sent again. */
  readonly #sent = new Set<string>();
  readonly #closing = new AbortController();

  constructor(options: MailQueueOptions) {
    this.#options = options;
    this.#outbox = openOutbox<QueuedMail>({
      rows: { claim: (limit) => this.#claim(limit), complete: ({ id }) => this.#delete([id]) },
      deliver: (mail) => this.#send(mail),
      what: 'mails',
      log: options.log,
      at_once: AT_ONCE,
    });
  }

  get job(): Job {
    return this.#outbox;
  }

  /** Looks for due mails now instead of at the next interval. */
  wake(): void {
    this.#outbox.wake();
  }

  /** Waits up to three seconds for mails that are being sent. */
  async close(): Promise<void> {
    const deadline = setTimeout(() => this.#closing.abort(), CLOSE_TIMEOUT_MS);
    await this.#outbox.close();
    clearTimeout(deadline);
  }

  async #claim(limit: number): Promise<QueuedMail[]> {
    if (this.#sent.size > 0) await this.#delete([...this.#sent]);
    return claimMails(this.#options.db, limit, LEASE_MS);
  }

  async #delete(ids: string[]): Promise<void> {
    await deleteMails(this.#options.db, ids);
    for (const id of ids) this.#sent.delete(id);
  }

  async #send(mail: QueuedMail): Promise<boolean> {
    const done = await sendMail(this.#options, mail, this.#closing.signal);
    if (done) this.#sent.add(mail.id);
    else await postponeMail(this.#options.db, mail.id, backoff(mail.attempts));
    return done;
  }
}

/** Returns whether the mail can be deleted: it was sent, refused for good, or has expired. */
async function sendMail(options: MailQueueOptions, mail: QueuedMail, closing: AbortSignal): Promise<boolean> {
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
  { encryption, deliver, mail_from, branding, eight_bit }: MailQueueOptions,
  mail: QueuedMail,
  closing: AbortSignal,
): Promise<'delivered' | 'no_mailbox'> {
  const email = decryptEmail(encryption, mail.id, mail.encrypted);
  const rendered = await renderEmail(email, branding);
  const message = await composeMessage({ id: mail.id, from: mail_from, to: email.to, eight_bit }, rendered);
  if (message.to === '') return 'delivered';
  return deliver(message, AbortSignal.any([closing, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]));
}

/** The loggable parts of an error. The mail server's responses are not: once it has the recipient, they may name it. */
function reasonOf(error: unknown): Record<string, unknown> {
  // The email cannot be decrypted. The cause is authored, too.
  if (error instanceof Fault) return { reason: String(error.cause ?? error.reason) };
  if (!(error instanceof Error)) return {};
  const { code, command, response, responseCode, syscall } = error as Partial<Record<string, unknown>> &
    Error;
  const connecting = command === 'CONN' && response === undefined;
  const harmless = error instanceof TemplateError || connecting || typeof syscall === 'string';
  const reason = harmless ? error.message : error.name;
  return { reason, error_code: code, command, response_code: responseCode };
}

/** Exponential, with jitter: mails that failed together are not retried together. */
function backoff(attempts: number): number {
  const delay = Math.min(BACKOFF_MIN_MS * 2 ** Math.min(attempts - 1, 16), BACKOFF_MAX_MS);
  return delay * (0.75 + Math.random() / 2);
}
