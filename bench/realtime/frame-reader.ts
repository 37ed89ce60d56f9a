/** Called with a frame's opcode and the position of its payload in the bytes, which are valid until it returns. */
export type OnFrame = (opcode: number, bytes: Buffer, start: number, end: number) => void;

const NOTHING = Buffer.alloc(0);

/** Returns a function that finds a server's WebSocket frames (RFC 6455 §5.2) in the chunks of a connection. */
export function frameReader(onFrame: OnFrame): (chunk: Buffer) => void {
  let held = NOTHING;
  return (chunk) => {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    for (let next = endOf(bytes, at); next > 0; next = endOf(bytes, at)) {
      onFrame((bytes[at] ?? 0) & 15, bytes, at + headBytes(bytes, at), next);
      at = next;
    }
    // The connection reuses the buffer of the chunk.
    held = at === bytes.length ? NOTHING : Buffer.from(bytes.subarray(at));
  };
}

function headBytes(bytes: Buffer, at: number): number {
  const length = (bytes[at + 1] ?? 0) & 127;
  return length < 126 ? 2 : length === 126 ? 4 : 10;
}

/** The end of the frame, or 0 if it is incomplete. */
function endOf(bytes: Buffer, at: number): number {
  if (bytes.length < at + 2) return 0;
  const head = headBytes(bytes, at);
  const start = at + head;
  if (bytes.length < start) return 0;
  const end = start + lengthOf(bytes, at, head);
  return bytes.length < end ? 0 : end;
}

function lengthOf(bytes: Buffer, at: number, head: number): number {
  if (head === 2) return (bytes[at + 1] ?? 0) & 127;
  return head === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
}
