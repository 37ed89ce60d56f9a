import { CloseCode, type Identify, type Resume } from './connection.ts';
import { type Frame, Op, readFrame, readHeartbeat, readIdentify, readResume } from './frame.ts';

/** How far a client is: it has asked for nothing, waits for the answer to an Identify or a Resume, or has a session. */
export type Phase = 'new' | 'asked' | 'accepted';

/** What a frame asks for, or what it is answered with: the end. */
export type Ask =
  | { readonly kind: 'heartbeat'; readonly seq: number | null }
  | { readonly kind: 'identify'; readonly identify: Identify }
  | { readonly kind: 'resume'; readonly resume: Resume }
  | { readonly kind: 'close'; readonly code: CloseCode };

/** Reads a client's text message. */
export function readAsk(data: Buffer, phase: Phase): Ask {
  const frame = readFrame(data);
  return (frame && askOf(frame, phase)) ?? close(CloseCode.DECODE_ERROR);
}

function askOf({ op, d }: Frame, phase: Phase): Ask | undefined {
  if (op === Op.HEARTBEAT) {
    const seq = readHeartbeat(d);
    return seq === undefined ? undefined : { kind: 'heartbeat', seq };
  }
  if (op === Op.IDENTIFY || op === Op.RESUME)
    return phase === 'new' ? requestOf(op, d) : close(CloseCode.ALREADY_AUTHENTICATED);
  return close(phase === 'new' ? CloseCode.NOT_AUTHENTICATED : CloseCode.UNKNOWN_OPCODE);
}

function requestOf(op: typeof Op.IDENTIFY | typeof Op.RESUME, d: unknown): Ask | undefined {
  if (op === Op.IDENTIFY) {
    const identify = readIdentify(d);
    return identify && { kind: 'identify', identify };
  }
  const resume = readResume(d);
  return resume && { kind: 'resume', resume };
}

function close(code: CloseCode): Ask {
  return { kind: 'close', code };
}
