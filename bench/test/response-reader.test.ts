import fc from 'fast-check';
import { expect, it } from 'vitest';
import { responseReader } from '../load/response-reader.ts';

const response = fc
  .record({
    length: fc.constantFrom('content-length', 'Content-Length'),
    status: fc.constantFrom(200, 201, 204, 404, 429),
    body: fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
  })
  .map(({ status, body, length }) => ({
    status,
    body: status === 204 ? '' : body,
    text:
      status === 204
        ? 'HTTP/1.1 204 No Content\r\ndate: today\r\n\r\n'
        : `HTTP/1.1 ${status} Some Text\r\ndate: today\r\n${length}: ${body.length}\r\nx: y\r\n\r\n${body}`,
  }));

it('the load generator finds every response, however the chunks split them', () => {
  fc.assert(
    fc.property(fc.array(response, { maxLength: 8 }), fc.array(fc.nat(500)), (responses, borders) => {
      const found: { status: number; body: string }[] = [];
      const read = responseReader((status, body) => found.push({ status, body }));
      const text = responses.map((one) => one.text).join('');
      let from = 0;
      for (const to of [...borders.toSorted((a, b) => a - b), text.length]) {
        if (to >= from) read(text.slice(from, to));
        from = Math.max(from, to);
      }
      expect(found).toEqual(responses.map(({ status, body }) => ({ status, body })));
    }),
  );
});

it('a response without Content-Length is an error', () => {
  const read = responseReader(() => undefined);
  expect(() => read('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')).toThrow('Content-Length');
});
