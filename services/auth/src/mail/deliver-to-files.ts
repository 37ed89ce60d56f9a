import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deliver } from './compose-message.ts';

/** Writes each mail to `ID.eml` in a folder that only this user can read. */
export function deliverToFiles(mail_dir: string): Deliver {
  return async ({ id, bytes }) => {
    await mkdir(mail_dir, { recursive: true, mode: 0o700 });
    await chmod(mail_dir, 0o700);
    const file = join(mail_dir, `${id}.eml`);
    // Renamed when complete, so readers see whole mails only. The next attempt replaces an unfinished file.
    const unfinished = join(mail_dir, `.${id}.tmp`);
    try {
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return 'delivered';
  };
}
