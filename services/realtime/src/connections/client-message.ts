import { CloseCode, type Identify, type Resume } from './connection.ts';
import { type Frame, Op, readFrame, readHeartbeat, readIdentify, readResume } from './frame.ts';

/** A connection's phase: no request yet, an Identify or a Resume is pending, or it has a session. */
export type Phase = 'new' | 'pending' | 'accepted';

/** A client's message; `close` for one that ends the connection. */
export type ClientMessage =
  | { readonly kind: 'heartbeat'; readonly seq: number | null }
  | { readonly kind: 'identify'; readonly identify: Identify }
  | { readonly kind: 'resume'; readonly resume: Resume }
  | { readonly kind: 'close'; readonly code: CloseCode };

export function readClientMessage(data: Buffer, phase: Phase): ClientMessage {
  const frame = readFrame(data);
  return (frame && messageOf(frame, phase)) ?? close(CloseCode.DECODE_ERROR);
}

function messageOf({ op, d }: Frame, phase: Phase): ClientMessage | undefined {
  if (op === Op.HEARTBEAT) {
    const seq = readHeartbeat(d);
    return seq === undefined ? undefined : { kind: 'heartbeat', seq };
  }
  if (op === Op.IDENTIFY || op === Op.RESUME)
    return phase === 'new' ? requestOf(op, d) : close(CloseCode.ALREADY_AUTHENTICATED);
  return close(phase === 'new' ? CloseCode.NOT_AUTHENTICATED : CloseCode.UNKNOWN_OPCODE);
}

function requestOf(op: typeof Op.IDENTIFY | typeof Op.RESUME, d: unknown): ClientMessage | undefined {
  if (op === Op.IDENTIFY) {
    const identify = readIdentify(d);
    return identify && { kind: 'identify', identify };
  }
  const resume = readResume(d);
  return resume && { kind: 'resume', resume };
}

function close(code: CloseCode): ClientMessage {
  return { kind: 'close', code };
}
