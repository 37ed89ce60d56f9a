import type { Address, Email } from 'postal-mime';

/** What a list shows of a mail. Empty texts if its header cannot be parsed. */
export interface MailHead {
  /** Addresses, separated by commas. */
  readonly to: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly sent_at: string | null;
}

export interface Mail extends MailHead {
  readonly from: string;
  /** The part in plain text; null without one. */
  readonly text: string | null;
  /** The part in HTML; null without one. */
  readonly html: string | null;
}

/** Reads the header of a mail. The bytes may end anywhere. */
export async function readHead(bytes: Buffer): Promise<MailHead> {
  const end = bytes.indexOf('\r\n\r\n');
  const { to, subject, sent_at } = await readMail(end < 0 ? bytes : bytes.subarray(0, end));
  return { to, subject, sent_at };
}

/** Reads a mail. Parts that cannot be parsed are left out. */
export async function readMail(bytes: Buffer): Promise<Mail> {
  const mail = await parse(bytes);
  const sentAt = new Date(mail.date ?? '');
  return {
    from: addresses(mail.from && [mail.from]),
    to: addresses(mail.to),
    subject: mail.subject ?? '',
    sent_at: Number.isNaN(sentAt.getTime()) ? null : sentAt.toISOString(),
    text: mail.text ?? null,
    html: mail.html ?? null,
  };
}

/** Loaded with the first mail. It refuses headers and nested parts that are too long. */
async function parse(bytes: Buffer): Promise<Partial<Email>> {
  const { default: PostalMime } = await import('postal-mime');
  return PostalMime.parse(bytes).catch(() => ({}));
}

function addresses(list: readonly Address[] | undefined): string {
  return (list ?? [])
    .flatMap(({ address, group }) => group?.map((one) => one.address) ?? address ?? [])
    .join(', ');
}
