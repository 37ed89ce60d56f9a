import type { Deliver } from './deliver.ts';

/** Of each phase; the URL may set others, such as `?socketTimeout=5000`. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 10_000,
  socketCloseTimeout: 1_000,
};

/** Sends over SMTP, a connection a mail; STARTTLS where the server offers it. */
export function deliverOverSmtp(smtp_url: string): Deliver {
  const url = withoutLogging(smtp_url);
  return async ({ from, to, bytes }, signal) => {
    const [{ createTransport }, { default: SMTPTransport }] = await Promise.all([
      import('nodemailer'),
      import('nodemailer/lib/smtp-transport'),
    ]);
    const transport = createTransport(new SMTPTransport({ url, ...TIMEOUTS }));
    try {
      await transport.sendMail({ envelope: { from, to: [to] }, raw: bytes, signal });
      return 'delivered';
    } catch (error) {
      if (isNoMailbox(error)) return 'no_mailbox';
      throw error;
    } finally {
      transport.close();
    }
  };
}

/** Nodemailer would write the password and whole mails to standard output. */
function withoutLogging(smtp_url: string): string {
  const url = new URL(smtp_url);
  for (const name of ['logger', 'debug', 'transactionLog']) url.searchParams.delete(name);
  return url.href;
}

/**
 * RFC 5321 §4.2.3: no such mailbox, not here, or no such name. Other refusals may be of the sender's
 * making and pass.
 */
function isNoMailbox(error: unknown): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown };
  return command === 'RCPT TO' && (responseCode === 550 || responseCode === 551 || responseCode === 553);
}
