import type { BinaryReader } from '@bufbuild/protobuf/wire';
import { decodeMessage } from './codec.ts';
import { MAX_FRAME_ANSWERS, MAX_FRAME_BYTES, MAX_OPEN_CALLS } from './limits.ts';

/*
 * The frames of the call stream (kit/v1/calls.proto has the fields), read by hand: the messages in them are
 * read where they lie, and an array of bytes for each would cost as much again. kit/test/frames.test.ts
 * compares this with the generated code.
 */

/** Where bytes lie in their frame; 0 and 0 where there are none. */
export interface Place {
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
  request: Place;
  timeout_ms: number;
  caller: Place;
  request_id: string;
}

export interface ReadAnswerFrame {
  readonly answers: ReadAnswer[];
  draining: boolean;
}

export interface ReadAnswer {
  id: number;
  status: number;
  response: Place;
  details: Place;
  more: boolean;
}

const NOWHERE: Place = { from: 0, to: 0 };
const WIRE_TYPE = 7;

/** @throws Error for bytes that are no such frame, or more than a frame may hold */
export function decodeCallFrame(bytes: Uint8Array): ReadCallFrame {
  checkLength(bytes);
  return decodeMessage(CALL_FRAME, bytes);
}

/** @throws Error for bytes that are no such frame, or more than a frame may hold */
export function decodeAnswerFrame(bytes: Uint8Array): ReadAnswerFrame {
  checkLength(bytes);
  return decodeMessage(ANSWER_FRAME, bytes);
}

/** Before anything is decoded: a frame of calls of two bytes each would become hundreds of times its length. */
function checkLength({ length }: Uint8Array): void {
  if (length > MAX_FRAME_BYTES) throw new RangeError(`a frame of ${length} bytes`);
}

/** @throws RangeError where the list has as many as a frame may hold, and another comes */
function checkRoom(list: readonly unknown[], most: number): void {
  if (list.length >= most) throw new RangeError(`a frame with more than ${most} of a kind`);
}

const CALL_FRAME = {
  decode: (reader: BinaryReader): ReadCallFrame => {
    const frame: ReadCallFrame = { calls: [], cancelled: [] };
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 0x0a) {
        checkRoom(frame.calls, MAX_OPEN_CALLS);
        frame.calls.push(readCall(reader, endOf(reader)));
      } else if (tag === 0x10) readCancelled(reader, frame.cancelled);
      else if (tag === 0x12)
        for (const end = endOf(reader); reader.pos < end; ) readCancelled(reader, frame.cancelled);
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
    request: NOWHERE,
    timeout_ms: 0,
    caller: NOWHERE,
    request_id: '',
  };
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
        call.request = placeOf(reader);
        break;
      case 0x20:
        call.timeout_ms = reader.uint32();
        break;
      case 0x2a:
        call.caller = placeOf(reader);
        break;
      case 0x32:
        call.request_id = reader.string();
        break;
      default:
        skipField(reader, tag);
    }
  }
  return call;
}

const ANSWER_FRAME = {
  decode: (reader: BinaryReader): ReadAnswerFrame => {
    const frame: ReadAnswerFrame = { answers: [], draining: false };
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 0x0a) {
        checkRoom(frame.answers, MAX_FRAME_ANSWERS);
        frame.answers.push(readAnswer(reader, endOf(reader)));
      } else if (tag === 0x10) frame.draining = reader.bool();
      else skipField(reader, tag);
    }
    return frame;
  },
};

function readAnswer(reader: BinaryReader, end: number): ReadAnswer {
  const answer: ReadAnswer = { id: 0, status: 0, response: NOWHERE, details: NOWHERE, more: false };
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
        answer.response = placeOf(reader);
        break;
      case 0x22:
        answer.details = placeOf(reader);
        break;
      case 0x28:
        answer.more = reader.bool();
        break;
      default:
        skipField(reader, tag);
    }
  }
  return answer;
}

/** Passes over a field of a later contract. @throws Error for the number 0, which no field has */
function skipField(reader: BinaryReader, tag: number): void {
  if (tag <= WIRE_TYPE) throw new Error('a field without a number');
  reader.skip(tag & WIRE_TYPE);
}

function placeOf(reader: BinaryReader): Place {
  const to = endOf(reader);
  const from = reader.pos;
  reader.pos = to;
  return { from, to };
}

/** Where the message or list that begins here ends. @throws RangeError past the frame's own end */
function endOf(reader: BinaryReader): number {
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new RangeError('premature EOF');
  return end;
}
