import { readFileSync } from 'node:fs';
import { Fault, Status } from '@gatehouse/kit/fault';
import { ERRORS } from '@gatehouse/proto/errors';
import { describe, expect, it } from 'vitest';
import { httpError } from '../../src/http/http-error.ts';
import { errorDocs } from '../../src/log/error-docs.ts';

const PAGE = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
const docsOf = errorDocs('https://chat.example.com');
const faults = Object.entries(ERRORS).map(
  ([reason, { grpc }]) => new Fault({ status: Status[grpc], reason, message: 'x' }),
);

describe('the reference of an error', () => {
  it.each(faults.map((fault) => [fault.reason, fault] as const))(
    'is the row of the code in the answer, if that has one: %s',
    (_, fault) => {
      const { code } = JSON.parse(httpError(fault).body) as { code: string };
      const hasRow = PAGE.includes(`<a id="${code}"></a>`);
      expect(docsOf(fault)).toBe(hasRow ? `https://chat.example.com/docs/errors#${code}` : undefined);
    },
  );

  it('exists for every anchor of docs/errors.md that is a code', () => {
    const anchors = [...PAGE.matchAll(/<a id="([A-Z0-9_]+)">/g)].map(([, code]) => code);
    const linked = faults.map((fault) => docsOf(fault)?.split('#')[1]);
    expect(anchors.sort()).toEqual([...new Set(linked)].filter((code) => code !== undefined).sort());
    expect(anchors).toContain('INVALID_GRANT');
  });

  it('is that of an unexpected failure for anything else that is thrown', () => {
    for (const thrown of [new Error('x'), 'x', null])
      expect(docsOf(thrown)).toBe('https://chat.example.com/docs/errors#INTERNAL_SERVER_ERROR');
  });

  it('is left out for a code that this version does not know', () => {
    expect(docsOf(new Fault({ status: Status.NOT_FOUND, reason: 'LATER', message: 'x' }))).toBeUndefined();
  });
});
