import { constants, type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type MailHead, readHead } from './read-mail.ts';

/** A mail in the list. */
export interface ListedMail extends MailHead {
  readonly id: string;
}

export interface MailList {
  /** The newest first. */
  readonly mails: readonly ListedMail[];
  /** All mails of the folder: the list has only the newest. */
  readonly total: number;
}

export interface MailFile {
  readonly bytes: Buffer;
  /** Whether the file is longer than what is read of it. */
  readonly is_cut: boolean;
}

const MAX_LISTED = 200;
/** Headers of mails are far shorter. */
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_MAIL_BYTES = 1024 * 1024;
/** No link is followed, and a pipe does not block. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NO_HEAD: MailHead = { to: '', subject: '', sent_at: null };

/** The folder in which auth writes each mail to `ID.eml`. Later mails have greater IDs, and a mail never changes. */
export class MailFolder {
  readonly #path: string;
  /** Of the listed mails. */
  #heads: ReadonlyMap<string, MailHead> = new Map();

  constructor(path: string) {
    this.#path = path;
  }

  /** The newest mails. One that cannot be read has empty members, and one that vanishes is left out. */
  async list(): Promise<MailList> {
    const ids = await this.#ids();
    const newest = ids.slice(0, MAX_LISTED);
    const known = this.#heads;
    const heads = await Promise.all(newest.map(async (id) => known.get(id) ?? (await this.#head(id))));
    const mails = newest.flatMap((id, index) => {
      const head = heads[index];
      return head === undefined ? [] : [{ id, ...head }];
    });
    this.#heads = new Map(mails.map(({ id, ...head }) => [id, head]));
    return { mails, total: ids.length };
  }

  /** Undefined if there is no such mail, or if it cannot be read. */
  async read(id: string): Promise<MailFile | undefined> {
    const bytes = await readStart(this.#file(id), MAX_MAIL_BYTES + 1).catch(() => undefined);
    return bytes && { bytes: bytes.subarray(0, MAX_MAIL_BYTES), is_cut: bytes.length > MAX_MAIL_BYTES };
  }

  /** Deletes a mail and all that are older. */
  async deleteUpTo(newest_id: string): Promise<void> {
    const ids = await this.#ids();
    for (const id of ids.filter((one) => BigInt(one) <= BigInt(newest_id)))
      await rm(this.#file(id), { force: true });
  }

  async #head(id: string): Promise<MailHead | undefined> {
    try {
      return await readHead(await readStart(this.#file(id), MAX_HEAD_BYTES));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : NO_HEAD;
    }
  }

  /** The IDs of all mails, the newest first. The first mail makes the folder. */
  async #ids(): Promise<string[]> {
    const entries = await readdir(this.#path, { withFileTypes: true }).catch((error) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const ids = entries.flatMap(
      (entry) => (entry.isFile() && /^(\d{1,20})\.eml$/.exec(entry.name)?.[1]) || [],
    );
    return ids.sort((one, other) => (BigInt(one) > BigInt(other) ? -1 : 1));
  }

  #file(id: string): string {
    return join(this.#path, `${id}.eml`);
  }
}

async function readStart(path: string, max_bytes: number): Promise<Buffer> {
  const file = await open(path, FLAGS);
  try {
    return await readBytes(file, max_bytes);
  } finally {
    await file.close();
  }
}

/** @throws Error if it is no file */
async function readBytes(file: FileHandle, max_bytes: number): Promise<Buffer> {
  const status = await file.stat();
  if (!status.isFile()) throw new Error('not a file');
  const buffer = Buffer.alloc(Math.min(max_bytes, status.size));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}
