import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@gatehouse/dev-env/until';

const WITHIN_MS = 30_000;

/** The pages of the web application that mails link to. */
export type Page = 'verify' | 'reset' | 'authorize-ip';

/**
 * Waits for `count` mails to an address that link to a page. Returns their tokens, oldest first. Without SMTP each
 * mail is a file (docs/credentials.md#mail).
 */
export function tokensMailed(data_dir: string, to: string, page: Page, count = 1): Promise<string[]> {
  return until(`${count} mails to ${page}`, WITHIN_MS, async () => {
    const tokens = (await mailsTo(data_dir, to)).flatMap((mail) => tokenOf(mail, page) ?? []);
    return tokens.length >= count ? tokens : undefined;
  });
}

/** The mails to an address so far, as raw text, oldest first. */
export async function mailsTo(data_dir: string, to: string): Promise<string[]> {
  const folder = join(data_dir, 'mail');
  const names = await readdir(folder).catch(() => []); // created with the first mail
  const ids = names.filter((name) => name.endsWith('.eml')).map((name) => BigInt(name.slice(0, -4)));
  const files = ids.sort((one, other) => (one < other ? -1 : 1)).map((id) => join(folder, `${id}.eml`));
  const mails = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return mails.filter((mail) => recipient(mail) === to.toLowerCase());
}

function recipient(mail: string): string | undefined {
  return /^To: .*?([^\s<>]+@[^\s<>]+)>?\r?$/im.exec(mail)?.[1]?.toLowerCase();
}

function tokenOf(mail: string, page: Page): string | undefined {
  return new RegExp(`/${page}#token=([A-Za-z0-9_-]{43})\r?$`, 'm').exec(mail)?.[1];
}
