import type { BinaryReader } from '@bufbuild/protobuf/wire';
import type { Answer, AnswerFrame, Call, CallFrame } from '@gatehouse/proto/kit/calls';
import { decodeMessage } from './codec.ts';

/*
 * The frames of the call stream, read by hand: generated code makes an empty array for each field of bytes
 * before it reads any, which for short calls costs more than the reading. kit/test/frames.test.ts compares
 * both.
 */

const EMPTY = new Uint8Array();
const WIRE_TYPE = 7;

/** @throws Error for bytes that are no such frame */
export function decodeCallFrame(bytes: Uint8Array): CallFrame {
  return decodeMessage(CALL_FRAME, bytes);
}

/** @throws Error for bytes that are no such frame */
export function decodeAnswerFrame(bytes: Uint8Array): AnswerFrame {
  return decodeMessage(ANSWER_FRAME, bytes);
}

const CALL_FRAME = {
  decode: (reader: BinaryReader): CallFrame => {
    const frame: CallFrame = { calls: [], cancelled: [] };
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 0x0a) frame.calls.push(readCall(reader, endOf(reader)));
      else if (tag === 0x10) frame.cancelled.push(reader.uint32());
      else if (tag === 0x12)
        for (const end = endOf(reader); reader.pos < end; ) frame.cancelled.push(reader.uint32());
      else reader.skip(tag & WIRE_TYPE);
    }
    return frame;
  },
};

function readCall(reader: BinaryReader, end: number): Call {
  const call: Call = { id: 0, method: '', request: EMPTY, timeout_ms: 0, caller: EMPTY, request_id: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 0x08:
        call.id = reader.uint32();
        break;
      case 0x12:
        call.method = reader.string();
        break;
      case 0x1a:
        call.request = reader.bytes();
        break;
      case 0x20:
        call.timeout_ms = reader.uint32();
        break;
      case 0x2a:
        call.caller = reader.bytes();
        break;
      case 0x32:
        call.request_id = reader.string();
        break;
      default:
        reader.skip(tag & WIRE_TYPE);
    }
  }
  return call;
}

const ANSWER_FRAME = {
  decode: (reader: BinaryReader): AnswerFrame => {
    const frame: AnswerFrame = { answers: [], draining: false };
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 0x0a) frame.answers.push(readAnswer(reader, endOf(reader)));
      else if (tag === 0x10) frame.draining = reader.bool();
      else reader.skip(tag & WIRE_TYPE);
    }
    return frame;
  },
};

function readAnswer(reader: BinaryReader, end: number): Answer {
  const answer: Answer = { id: 0, status: 0, response: EMPTY, details: EMPTY, more: false };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 0x08:
        answer.id = reader.uint32();
        break;
      case 0x10:
        answer.status = reader.uint32();
        break;
      case 0x1a:
        answer.response = reader.bytes();
        break;
      case 0x22:
        answer.details = reader.bytes();
        break;
      case 0x28:
        answer.more = reader.bool();
        break;
      default:
        reader.skip(tag & WIRE_TYPE);
    }
  }
  return answer;
}

/** Where the message or list that begins here ends. @throws RangeError past the frame's own end */
function endOf(reader: BinaryReader): number {
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new RangeError('premature EOF');
  return end;
}
