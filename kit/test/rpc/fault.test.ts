import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cancelled,
  deadlineExceeded,
  Fault,
  internal,
  invalidForm,
  Status,
  unavailable,
} from '../../src/fault.ts';
import { decodeFault, encodeFault } from '../../src/rpc/messages/fault-wire.ts';

const violation = fc.record({ path: fc.string(), code: fc.string(), message: fc.string() });
const fault = fc.record({
  status: fc.constantFrom(...Object.values(Status).filter((status) => status !== Status.OK)),
  reason: fc.string(),
  message: fc.string({ unit: 'grapheme' }),
  violations: fc.array(violation),
  members: fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    fc.jsonValue(),
  ),
});

describe('a fault', () => {
  it('crosses a process boundary completely: status, reason, text, violations and members', () => {
    fc.assert(
      fc.property(fault, (init) => {
        const members = JSON.parse(JSON.stringify(init.members));
        const got = decodeFault(Status.UNKNOWN, encodeFault(new Fault({ ...init, members })));
        expect(got).toBeInstanceOf(Fault);
        expect({ ...init, members }).toEqual({
          status: got.status,
          reason: got.reason,
          message: got.message,
          violations: got.violations,
          members: got.members,
        });
      }),
    );
  });

  it('does not carry its cause', () => {
    const wire = encodeFault(internal(new Error('password=hunter2')));
    expect(Buffer.from(wire).toString('latin1')).not.toContain('hunter2');
    expect(decodeFault(Status.INTERNAL, wire).cause).toBeUndefined();
  });

  it('is derived from its status if its details are malformed, without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(20), (details, status) => {
        const got = decodeFault(status, details);
        expect(got).toBeInstanceOf(Fault);
        expect(['SERVICE_UNAVAILABLE', 'GATEWAY_TIMEOUT', 'INTERNAL_SERVER_ERROR']).toContain(got.reason);
      }),
    );
  });

  it('has one constructor for each common kind', () => {
    const all = [invalidForm([]), unavailable(), deadlineExceeded(), cancelled(), internal()];
    expect(all.map(({ status, reason }) => [status, reason])).toEqual([
      [Status.INVALID_ARGUMENT, 'INVALID_FORM_BODY'],
      [Status.UNAVAILABLE, 'SERVICE_UNAVAILABLE'],
      [Status.DEADLINE_EXCEEDED, 'GATEWAY_TIMEOUT'],
      [Status.CANCELLED, 'CANCELLED'],
      [Status.INTERNAL, 'INTERNAL_SERVER_ERROR'],
    ]);
  });
});
