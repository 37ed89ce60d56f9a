import { expect, it } from 'vitest';
import { MessageSplitter, UnreadableMessage } from '../../src/rpc/messages/message-splitter.ts';

function prefixed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function allOf(splitter: MessageSplitter): Buffer[] {
  const messages: Buffer[] = [];
  for (let next = splitter.next(); next !== undefined; next = splitter.next()) messages.push(next);
  return messages;
}

it.each([1, 2, 3, 4, 5, 6, 7, 64, 1000, 1_000_000])(
  'splits chunks of %i bytes into the messages',
  (length) => {
    const messages = [0, 1, 2, 300, 0, 0, 5000, 7].map((size) => Buffer.alloc(size, size));
    const bytes = Buffer.concat(messages.map(prefixed));
    const splitter = new MessageSplitter();
    const found: Buffer[] = [];
    for (let from = 0; from < bytes.length; from += length) {
      splitter.push(bytes.subarray(from, from + length));
      if (from % (3 * length) === 0) found.push(...allOf(splitter));
    }
    found.push(...allOf(splitter));
    expect(found.map((message) => message.toString('hex'))).toEqual(
      messages.map((message) => message.toString('hex')),
    );
    expect(splitter.bytes).toBe(0);
  },
);

it('holds an incomplete message until the rest arrives', () => {
  const splitter = new MessageSplitter();
  splitter.push(Buffer.alloc(0));
  splitter.push(Buffer.from([0, 0, 0, 0, 2, 8]));
  expect(splitter.next()).toBeUndefined();
  expect(splitter.bytes).toBe(6);
  splitter.push(Buffer.from([9, 0]));
  expect(splitter.next()).toEqual(Buffer.from([8, 9]));
  expect(splitter.next()).toBeUndefined();
  expect(splitter.bytes).toBe(1);
});

it.each([
  ['compressed', [1, 0, 0, 0, 1, 0]],
  ['longer than 256 KiB', [0, 0, 4, 0, 1]],
])('refuses a message that is %s', (_, bytes) => {
  const splitter = new MessageSplitter();
  splitter.push(Buffer.from(bytes));
  expect(() => splitter.next()).toThrow(UnreadableMessage);
});
