import { MISTAKES_OF_CALLERS } from '@gatehouse/gateway/error-status';
import { httpError } from '@gatehouse/gateway/http-error';
import { authoredCodes } from '@gatehouse/gateway/testing/authored-codes';
import { Fault, Status } from '@gatehouse/kit/fault';
import { describe, expect, it } from 'vitest';
import { documentedCodes } from './errors.ts';

/** For a request whose client or caller has gone, or of what no route calls, such as a connection of the Gateway. */
const READ_BY_NO_CLIENT = [
  ...['CLIENT_CLOSED_REQUEST', 'CANCELLED', 'CURSOR_TOO_OLD', 'STOPPING'],
  ...['STATE_FULL', 'READY_TOO_LARGE', 'BUSY'],
];

const DOCUMENTED = documentedCodes();
const AUTHORED = [...Map.groupBy(authoredCodes(), ({ code }) => code)];

describe('every error code in the source of kit, the edge and the services', () => {
  it('is found', () => {
    const codes = AUTHORED.map(([code]) => code);
    expect(codes).toEqual(expect.arrayContaining(['NOT_FOUND', 'CANNOT_SEND_EMPTY_MESSAGE', 'BAD_COST']));
    expect(codes).toContain('PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER');
    expect(codes).toEqual(
      expect.arrayContaining(['INVALID_GRANT', 'INVALID_CLIENT_SECRET', 'INVALID_TOKEN']),
    );
  });

  it.each(AUTHORED)('%s is in docs/errors.md, with the status that the edge gives it', (code, authored) => {
    if (MISTAKES_OF_CALLERS.has(code)) {
      expect(DOCUMENTED.has(code), 'a code that no client sees').toBe(false);
      return;
    }
    if (READ_BY_NO_CLIENT.includes(code)) return;
    for (const { status = 'INTERNAL', file } of authored) {
      const fault = new Fault({ status: Status[status as keyof typeof Status], reason: code, message: '' });
      expect(httpError(fault).status, `${file}, docs/errors.md#error-codes`).toBe(DOCUMENTED.get(code));
    }
  });
});

describe('a mistake of one service in asking another', () => {
  it('has a code that only ratelimit gives', () => {
    const files = authoredCodes()
      .filter(({ code }) => MISTAKES_OF_CALLERS.has(code))
      .map(({ file }) => file);
    for (const file of files) expect(file).toMatch(/^services\/ratelimit\//);
  });

  it('is on the list as long as there is such a code', () => {
    const codes = AUTHORED.map(([code]) => code);
    expect(codes).toEqual(expect.arrayContaining([...MISTAKES_OF_CALLERS]));
  });
});
