import type { BinaryReader } from '@bufbuild/protobuf/wire';
import { TRACEPARENT_LENGTH } from '../../trace/traceparent.ts';
import { MAX_FRAME_ANSWERS, MAX_FRAME_BYTES, MAX_OPEN_CALLS } from '../limits.ts';
import { decodeMessage } from '../messages/codec.ts';
import { ANSWER, ANSWER_FRAME, CALL, CALL_FRAME, WIRE_TYPE } from './fields.ts';

/*
 * Reads frames without copying the messages in them, by noting their ranges. kit/test/rpc/frames.test.ts compares it
 * with the generated code.
 */

/** A range of bytes in a frame; 0 and 0 if the field is absent. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface ReadCallFrame {
  readonly calls: ReadCall[];
  readonly cancelled: number[];
}

export interface ReadCall {
  id: number;
  method: string;
  request: ByteRange;
  timeout_ms: number;
  caller: ByteRange;
  request_id: string;
  /** Empty if absent or of the wrong length. */
  traceparent: string;
}

export interface ReadAnswerFrame {
  readonly answers: ReadAnswer[];
  draining: boolean;
}

export interface ReadAnswer {
  id: number;
  status: number;
  response: ByteRange;
  details: ByteRange;
  more: boolean;
}

const NO_BYTES: ByteRange = { from: 0, to: 0 };

/** @throws Error if the bytes are not a frame of calls, or the frame exceeds a limit */
export function decodeCallFrame(bytes: Uint8Array): ReadCallFrame {
  checkLength(bytes);
  return decodeMessage(CALL_FRAME_TYPE, bytes);
}

/** @throws Error if the bytes are not a frame of answers, or the frame exceeds a limit */
export function decodeAnswerFrame(bytes: Uint8Array): ReadAnswerFrame {
  checkLength(bytes);
  return decodeMessage(ANSWER_FRAME_TYPE, bytes);
}

/** Checked first, because decoding a frame may take hundreds of times its length in memory. */
function checkLength({ length }: Uint8Array): void {
  if (length > MAX_FRAME_BYTES) throw new RangeError(`a frame of ${length} bytes`);
}

/** @throws RangeError if the list is full */
function checkRoom(list: readonly unknown[], most: number): void {
  if (list.length >= most) throw new RangeError(`a frame with more than ${most} of a kind`);
}

const CALL_FRAME_TYPE = {
  decode: (reader: BinaryReader): ReadCallFrame => {
    const frame: ReadCallFrame = { calls: [], cancelled: [] };
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === CALL_FRAME.calls) {
        checkRoom(frame.calls, MAX_OPEN_CALLS);
        frame.calls.push(readCall(reader, fieldEnd(reader)));
      } else if (tag === CALL_FRAME.cancelled) readCancelled(reader, frame.cancelled);
      else if (tag === CALL_FRAME.cancelled_packed)
        for (const end = fieldEnd(reader); reader.pos < end; ) readCancelled(reader, frame.cancelled);
      else skipField(reader, tag);
    }
    return frame;
  },
};

function readCancelled(reader: BinaryReader, cancelled: number[]): void {
  checkRoom(cancelled, MAX_OPEN_CALLS);
  cancelled.push(reader.uint32());
}

function readCall(reader: BinaryReader, end: number): ReadCall {
  const call: ReadCall = {
    id: 0,
    method: '',
    request: NO_BYTES,
    timeout_ms: 0,
    caller: NO_BYTES,
    request_id: '',
    traceparent: '',
  };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case CALL.id:
        call.id = reader.uint32();
        break;
      case CALL.method:
        call.method = reader.string();
        break;
      case CALL.request:
        call.request = rangeOf(reader);
        break;
      case CALL.timeout_ms:
        call.timeout_ms = reader.uint32();
        break;
      case CALL.caller:
        call.caller = rangeOf(reader);
        break;
      case CALL.request_id:
        call.request_id = reader.string();
        break;
      case CALL.traceparent:
        call.traceparent = readTraceparentOf(reader);
        break;
      default:
        skipField(reader, tag);
    }
  }
  return call;
}

const ANSWER_FRAME_TYPE = {
  decode: (reader: BinaryReader): ReadAnswerFrame => {
    const frame: ReadAnswerFrame = { answers: [], draining: false };
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === ANSWER_FRAME.answers) {
        checkRoom(frame.answers, MAX_FRAME_ANSWERS);
        frame.answers.push(readAnswer(reader, fieldEnd(reader)));
      } else if (tag === ANSWER_FRAME.draining) frame.draining = reader.bool();
      else skipField(reader, tag);
    }
    return frame;
  },
};

function readAnswer(reader: BinaryReader, end: number): ReadAnswer {
  const answer: ReadAnswer = { id: 0, status: 0, response: NO_BYTES, details: NO_BYTES, more: false };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case ANSWER.id:
        answer.id = reader.uint32();
        break;
      case ANSWER.status:
        answer.status = reader.uint32();
        break;
      case ANSWER.response:
        answer.response = rangeOf(reader);
        break;
      case ANSWER.details:
        answer.details = rangeOf(reader);
        break;
      case ANSWER.more:
        answer.more = reader.bool();
        break;
      default:
        skipField(reader, tag);
    }
  }
  return answer;
}

/** Skips a field that this version does not know. @throws Error for field number 0, which is invalid */
function skipField(reader: BinaryReader, tag: number): void {
  if (tag <= WIRE_TYPE) throw new Error('a field without a number');
  reader.skip(tag & WIRE_TYPE);
}

/** A traceparent has a fixed length. A value of another length is not decoded. */
function readTraceparentOf(reader: BinaryReader): string {
  const before = reader.pos;
  const { from, to } = rangeOf(reader);
  if (to - from !== TRACEPARENT_LENGTH) return '';
  reader.pos = before;
  return reader.string();
}

function rangeOf(reader: BinaryReader): ByteRange {
  const to = fieldEnd(reader);
  const from = reader.pos;
  reader.pos = to;
  return { from, to };
}

/** The end of the message or packed list that begins here. @throws RangeError if it is beyond the frame */
function fieldEnd(reader: BinaryReader): number {
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new RangeError('premature EOF');
  return end;
}
