import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** Receives the archive piece by piece. */
export type WriteChunk = (bytes: Uint8Array) => Promise<void>;

const CHUNK_BYTES = 512 * 1024;

/** Writes a ZIP archive, file after file, and holds no more of it than a chunk. */
export class ArchiveWriter {
  readonly #write: WriteChunk;
  readonly #zip: Zip;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #failure: Error | undefined;

  constructor(write: WriteChunk) {
    this.#write = write;
    this.#zip = new Zip((error, bytes) => {
      if (error !== null) {
        this.#failure = error;
        return;
      }
      this.#pending.push(bytes);
      this.#pendingBytes += bytes.length;
    });
  }

  /** Adds a file of text, in parts. */
  async addText(path: string, parts: AsyncIterable<string>): Promise<void> {
    const file = new ZipDeflate(path, { level: 6 });
    this.#zip.add(file);
    for await (const part of parts) {
      file.push(strToU8(part));
      await this.#flush(CHUNK_BYTES);
    }
    file.push(new Uint8Array(0), true);
    await this.#flush(CHUNK_BYTES);
  }

  /** Adds a file that is compressed already. */
  async addBytes(path: string, bytes: Uint8Array): Promise<void> {
    const file = new ZipPassThrough(path);
    this.#zip.add(file);
    file.push(bytes, true);
    await this.#flush(CHUNK_BYTES);
  }

  /** Ends the archive. */
  async close(): Promise<void> {
    this.#zip.end();
    await this.#flush(1);
  }

  /** Writes whole chunks while there are at least so many bytes. */
  async #flush(least: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#pendingBytes < least) return;
    const all = Buffer.concat(this.#pending);
    let from = 0;
    for (; all.length - from >= least; from += CHUNK_BYTES) {
      await this.#write(all.subarray(from, from + CHUNK_BYTES));
    }
    this.#pending = from < all.length ? [all.subarray(from)] : [];
    this.#pendingBytes = Math.max(0, all.length - from);
  }
}
