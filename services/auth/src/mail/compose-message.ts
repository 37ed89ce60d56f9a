import type { Rendered } from './render-email.ts';

/** An email in its wire format. */
export interface Message {
  /** The outbox row's ID. */
  readonly id: string;
  readonly from: string;
  /** Empty: the email is not sent. */
  readonly to: string;
  /** RFC 5322. */
  readonly bytes: Buffer;
}

/** Delivers a message, or reports that its mailbox does not exist. If it throws, the mail is retried. */
export type Deliver = (message: Message, signal: AbortSignal) => Promise<'delivered' | 'no_mailbox'>;

/** RFC 5322 §2.1.1. */
const LINE_MAX = 998;

/** Composes an email as plain text and HTML. The Message-ID is the same in every attempt. */
export async function composeMessage(
  { id, from, to }: Pick<Message, 'id' | 'from' | 'to'>,
  { subject, text, html }: Rendered,
): Promise<Message> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const node = new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text: part('text/plain', text),
    html: part('text/html', html),
    // RFC 3834: suppresses out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const sender = String(node.getEnvelope().from);
  node.setHeader('Message-ID', `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`);
  return { id, from: sender, to, bytes: await node.build() };
}

/**
 * ASCII is sent unencoded, so that tokens and links can be copied from the source. Nodemailer would encode lines of more
 * than 76 characters.
 */
function part(type: string, content: string): { content: string } | { raw: string } {
  const lines = content.split(/\r?\n/);
  const ascii = lines.every((line) => line.length <= LINE_MAX && /^[\t\x20-\x7e]*$/.test(line));
  if (!ascii) return { content };
  const headers = `Content-Type: ${type}; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit`;
  return { raw: `${headers}\r\n\r\n${lines.join('\r\n')}` };
}
