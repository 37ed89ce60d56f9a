import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

/** A mail and the parts that tests use. */
export interface Mail {
  readonly raw: string;
  readonly to: string;
  readonly subject: string;
  /** The plain part. */
  readonly text: string;
  readonly html: string;
  /** On a line of its own; empty in mails without one. */
  readonly token: string;
  /** On a line of its own; empty in mails without one. */
  readonly url: string;
}

/** Waits until the folder holds this many mails to the address, and returns them, oldest first. */
export async function mailsTo(mail_dir: string, address: string, count = 1): Promise<Mail[]> {
  let mails: Mail[] = [];
  await expect
    .poll(async () => {
      mails = await mailsOf(mail_dir, address);
      return mails.length;
    })
    .toBe(count);
  return mails;
}

/** The mails to an address that were sent so far, oldest first. */
export async function mailsOf(mail_dir: string, address: string): Promise<Mail[]> {
  return (await allMails(mail_dir)).filter(({ to }) => to === address);
}

/** The last of this many mails to the address. */
export async function mailTo(mail_dir: string, address: string, count = 1): Promise<Mail> {
  const newest = (await mailsTo(mail_dir, address, count)).at(-1);
  if (newest === undefined) throw new RangeError('at least one mail is required');
  return newest;
}

/** Every mail in the folder, oldest first. */
export async function allMails(mail_dir: string): Promise<Mail[]> {
  const names = (await readdir(mail_dir)).filter((name) => name.endsWith('.eml'));
  names.sort((a, b) => (BigInt(a.slice(0, -4)) < BigInt(b.slice(0, -4)) ? -1 : 1));
  return Promise.all(names.map(async (name) => parseMail(await readFile(join(mail_dir, name), 'utf8'))));
}

/** Reads a mail of two unencoded parts. */
export function parseMail(raw: string): Mail {
  const lines = raw.replaceAll('\r\n', '\n');
  const boundary = /boundary="?([^"\n;]+)/.exec(lines)?.[1] ?? '';
  const [head = '', plain = '', rich = ''] = lines.split(`--${boundary}`);
  const body = (part: string) => part.slice(part.indexOf('\n\n') + 2);
  const text = body(plain);
  return {
    raw,
    to: header(head, 'To'),
    subject: header(head, 'Subject'),
    text,
    html: body(rich),
    token: /^[A-Za-z0-9_-]{43}$/m.exec(text)?.[0] ?? '',
    url: /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '',
  };
}

function header(head: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
}
