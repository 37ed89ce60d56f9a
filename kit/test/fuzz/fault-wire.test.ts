import { fuzz, mutated } from '@gatehouse/dev-env/fuzz';
import { Status as RpcStatus } from '@gatehouse/proto/google/rpc/status';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, type JsonValue, Status } from '../../src/fault.ts';
import { decodeFault, encodeFault } from '../../src/rpc/messages/fault-wire.ts';

const RUNS = 2000;
const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const faults = fc
  .record({
    status: fc.constantFrom(Status.INVALID_ARGUMENT, Status.NOT_FOUND, Status.INTERNAL),
    reason: text,
    message: text,
    members: fc.dictionary(
      fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString')),
      fc.jsonValue(),
    ),
    violations: fc.array(fc.record({ path: text, code: text, message: text }), { maxLength: 5 }),
  })
  .map((init) => new Fault({ ...init, members: init.members as Record<string, JsonValue> }));

/** Expects a fault that can be encoded again. */
function expectValid(fault: Fault): void {
  expect(fault).toBeInstanceOf(Fault);
  expect(Object.values(Status)).toContain(fault.status);
  expect(fault.status).not.toBe(0);
  expect(Object.getPrototypeOf(fault.members)).toBe(Object.prototype);
  const again = decodeFault(fault.status, encodeFault(fault));
  expect([again.status, again.reason, again.violations]).toEqual([
    fault.status,
    fault.reason,
    fault.violations,
  ]);
}

describe('the details of a fault', () => {
  it.each([0, -1, 17, 2 ** 31 - 1])('with the status %i, which no fault has, are ignored', (code) => {
    const details = RpcStatus.decode(
      encodeFault(new Fault({ status: Status.NOT_FOUND, reason: 'R', message: '' })),
    );
    const read = decodeFault(Status.INTERNAL, RpcStatus.encode({ ...details, code }).finish());
    expect([read.status, read.reason]).toEqual([
      Status.INTERNAL,
      decodeFault(Status.INTERNAL, new Uint8Array()).reason,
    ]);
  });

  it('are the same after crossing', () =>
    fuzz(
      'faults',
      RUNS,
      fc.property(faults, (fault) => {
        const crossed = decodeFault(fault.status, encodeFault(fault));
        expect([crossed.status, crossed.reason, crossed.message]).toEqual([
          fault.status,
          fault.reason,
          fault.message,
        ]);
        expect(crossed.violations).toEqual(fault.violations);
        expectValid(crossed);
      }),
    ));

  it('of arbitrary bytes become a fault that can be encoded again', () =>
    fuzz(
      'details of faults',
      RUNS,
      fc.property(
        fc.constantFrom(...Object.values(Status).filter((status) => status !== 0)),
        fc.oneof(mutated(faults.map(encodeFault)), fc.uint8Array()),
        (status, details) => expectValid(decodeFault(status, details)),
      ),
    ));
});
