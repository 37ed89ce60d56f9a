import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 10;
/** A longer line is skipped. */
export const MAX_LINE_BYTES = 256 * 1024;

/**
 * Reads the last `bytes` of a file in pieces, each of whole lines, from the older to the newer ones. Nothing else runs
 * longer than a piece takes. A file that is not there any more has no pieces: it was renamed a moment ago.
 *
 * @param onLongLine called for lines that are skipped, because they are longer than MAX_LINE_BYTES; shorter than a
 *   piece, they may be in it all the same
 */
export async function* readEnd(
  path: string,
  bytes: number,
  onLongLine: () => void = () => undefined,
): AsyncGenerator<Buffer> {
  const file = await openExisting(path);
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    let at = Math.max(0, size - bytes);
    let rest: Buffer = Buffer.alloc(0);
    // Of a line that begins before, there is only a part.
    let isPart = at > 0;
    while (at < size) {
      const chunk = await readChunk(file, at, Math.min(CHUNK_BYTES, size - at));
      if (chunk.length === 0) return;
      at += chunk.length;
      const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const begin = isPart ? text.indexOf(NEWLINE) + 1 : 0;
      const end = text.lastIndexOf(NEWLINE) + 1;
      if (!isPart || begin > 0) {
        isPart = false;
        if (end > begin) yield text.subarray(begin, end);
        rest = Buffer.from(text.subarray(Math.max(begin, end)));
      }
      if (rest.length <= MAX_LINE_BYTES) continue;
      onLongLine();
      rest = Buffer.alloc(0);
      isPart = true;
    }
  } finally {
    await file.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readChunk(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}
