import type { Config } from '../config.ts';
import type { Deliver } from './compose.ts';
import { deliverToFiles } from './eml-files.ts';
import { deliverOverSmtp } from './smtp.ts';

/** The way out for mail: SMTP, or files without it. */
export function openDelivery({ smtp_url, mail_dir }: Pick<Config, 'smtp_url' | 'mail_dir'>): Deliver {
  return smtp_url === undefined ? deliverToFiles(mail_dir) : deliverOverSmtp(smtp_url);
}
