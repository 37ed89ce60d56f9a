import { callForBytes } from '../../shared/api/api.ts';
import { saveFile } from '../../shared/save-file.ts';
import { withSudo } from '../../shared/sudo/sudo.tsx';

/**
 * Reads the archive part by part, with the session in a header and not in a URL, and lets the browser save it.
 *
 * @throws ApiError; Cancelled
 */
export async function saveExport(size: number): Promise<void> {
  const parts: ArrayBuffer[] = [];
  for (let bytes = 0; bytes < size; ) {
    const part = await withSudo(() => callForBytes(`/users/@me/export/file?part=${parts.length}`));
    parts.push(part);
    bytes += part.byteLength;
  }
  saveFile(new Blob(parts, { type: 'application/zip' }), 'account.zip');
}
