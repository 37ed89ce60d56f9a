import { connect } from 'node:net';
import { frameReader } from './frame-reader.ts';
import type { Protocol } from './protocols.ts';

/** A connection that is ready for events. */
export interface ClientSocket {
  heartbeat(): void;
}

export interface ClientSocketOptions {
  /** host:port */
  readonly address: string;
  readonly protocol: Protocol;
  readonly token: string;
  /** Called with the position of an event's payload, which is valid until it returns. */
  readonly onEvent: (bytes: Buffer, start: number, end: number) => void;
}

const TEXT = 1;
const CLOSE = 8;
const HEAD_END = '\r\n\r\n';
/** The read buffer of all sockets of the process. */
const SHARED = Buffer.alloc(64 * 1024);

/**
 * Opens a client that does as little as possible with its events, since it shares the cores with the server. Rejects if
 * the connection ends before it is ready; a later end throws, which ends the process.
 */
export function openClientSocket(options: ClientSocketOptions): Promise<ClientSocket> {
  const { address, protocol, token, onEvent } = options;
  const [host = '', port] = address.split(':');
  return new Promise((resolve, reject) => {
    let head = '';
    let isUpgraded = false;
    let isReady = false;
    const read = frameReader((opcode, bytes, start, end) => {
      if (opcode === TEXT && isReady) {
        if (protocol.isEvent(bytes, start)) onEvent(bytes, start, end);
      } else if (opcode === TEXT) greet(bytes.toString('utf8', start, end));
      else if (opcode === CLOSE) socket.destroy(new Error(`closed with ${bytes.readUInt16BE(start)}`));
    });
    const socket = connect({
      host,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: SHARED,
        callback: (length, buffer) => {
          const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, length);
          if (isUpgraded) read(chunk);
          else upgrade(chunk);
          return true;
        },
      },
    });
    socket.on('error', (error) => {
      if (isReady) throw error;
      reject(error);
    });
    socket.on('close', () => {
      if (isReady) throw new Error('the server closed a connection');
      reject(new Error(`the server closed a connection that was not ready${head && `: ${head}`}`));
    });
    socket.write(handshake(address, protocol.path));

    function upgrade(chunk: Buffer): void {
      head += chunk.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      if (!head.startsWith('HTTP/1.1 101')) return void socket.destroy();
      isUpgraded = true;
      const rest = Buffer.from(head.slice(end + HEAD_END.length), 'latin1');
      head = '';
      read(rest);
    }

    function greet(text: string): void {
      const answer = protocol.greet(text, token);
      if (answer === undefined) return;
      if (answer !== 'ready') return void socket.write(textFrame(answer));
      isReady = true;
      resolve({
        heartbeat: () => {
          if (protocol.heartbeat !== undefined) socket.write(textFrame(protocol.heartbeat));
        },
      });
    }
  });
}

function handshake(host: string, path: string): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
  ];
  return `${lines.join('\r\n')}${HEAD_END}`;
}

/** A masking key of zeros leaves the payload unchanged. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([0x80 | TEXT, ...length, 0, 0, 0, 0]), payload]);
}
