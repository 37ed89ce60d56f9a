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
  { id, from, to, eight_bit }: Pick<Message, 'id' | 'from' | 'to'> & { readonly eight_bit: boolean },
  { language, subject, text, html }: Rendered,
): Promise<Message> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const node = new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text: part('text/plain', text, eight_bit),
    html: part('text/html', html, eight_bit),
    headers: {
      // RFC 3834: suppresses out-of-office replies.
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language,
    },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const sender = String(node.getEnvelope().from);
  node.setHeader('Message-ID', `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`);
  return { id, from: sender, to, bytes: await node.build() };
}

/**
 * Text is sent unencoded if possible, so that tokens and links can be copied from the source. Nodemailer would encode
 * lines of more than 76 characters.
 */
function part(type: string, content: string, eight_bit: boolean): { content: string } | { raw: string } {
  const lines = content.split(/\r?\n/);
  const ascii = /^[\t\r\n\x20-\x7e]*$/.test(content);
  const fits = lines.every((line) => Buffer.byteLength(line) <= LINE_MAX);
  if (!fits || !(ascii || eight_bit)) return { content };
  const [charset, encoding] = ascii ? ['us-ascii', '7bit'] : ['utf-8', '8bit'];
  const headers = `Content-Type: ${type}; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}`;
  return { raw: `${headers}\r\n\r\n${lines.join('\r\n')}` };
}
