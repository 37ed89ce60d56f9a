import type { Deliver } from './compose-message.ts';

/** The timeout of each phase. The URL may set others, such as `?socketTimeout=5000`. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 10_000,
  socketCloseTimeout: 1_000,
};

/** Sends over SMTP, with a connection per mail, and STARTTLS if the server offers it. */
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

/** Leaves out the options that make nodemailer print the password and whole mails. */
function withoutLogging(smtp_url: string): string {
  const url = new URL(smtp_url);
  for (const name of ['logger', 'debug', 'transactionLog']) url.searchParams.delete(name);
  return url.href;
}

/**
 * Whether the server said that the mailbox does not exist (RFC 5321 §4.2.3). It uses the same reply codes to refuse a
 * sender, which may be temporary. An enhanced status code tells the two apart (RFC 3463 §3.2, RFC 7505 §4.2).
 */
function isNoMailbox(error: unknown): boolean {
  const { command, responseCode, response } = error as Partial<Record<string, unknown>>;
  const aboutMailbox = responseCode === 550 || responseCode === 551 || responseCode === 553;
  if (command !== 'RCPT TO' || !aboutMailbox) return false;
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
  return enhanced === undefined || NO_MAILBOX.test(enhanced);
}

/**
 * Not 5.1.7 and 5.1.8, which concern the sender, and not 5.7, which is policy, such as a relay that requires a login.
 */
const NO_MAILBOX = /^5\.1\.(?:[0-6]|10)$/;
