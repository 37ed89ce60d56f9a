import type { Config } from '../config.ts';
import type { Message } from './compose.ts';
import { deliverToFiles } from './eml-files.ts';
import { deliverOverSmtp } from './smtp.ts';

/** Hands a mail over, or says that its recipient does not exist; whatever it throws is tried again. */
export type Deliver = (message: Message, signal: AbortSignal) => Promise<'delivered' | 'no_mailbox'>;

/** The way out for mail: SMTP, or files without it. */
export function openDelivery({ smtp_url, mail_dir }: Pick<Config, 'smtp_url' | 'mail_dir'>): Deliver {
  return smtp_url === undefined ? deliverToFiles(mail_dir) : deliverOverSmtp(smtp_url);
}
