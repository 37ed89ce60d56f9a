import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ParserPosition } from '../../src/overload/parser-position.ts';

function withBody(): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'content-length': '3' };
  return request;
}

it('a body that arrives over several slices is not taken for a head, and reaches the request', () => {
  const position = new ParserPosition();
  const request = withBody();
  position.arrived(request);
  position.parsed(Buffer.from('POST / HTTP/1.1\r\n\r\n'));
  request.push(Buffer.from('abc'));
  position.parsed(Buffer.from('abc'));
  expect([position.inBody(), position.headBytes]).toEqual([true, 0]);
  expect(request.read().toString()).toBe('abc');
});

it('requests of a connection share the function that observes their bodies, so that answered ones can be freed', () => {
  const position = new ParserPosition();
  const [first, second] = [withBody(), withBody()];
  for (const request of [first, second]) position.arrived(request);
  expect(first.push).not.toBe(IncomingMessage.prototype.push);
  expect(first.push).toBe(second.push);
});
