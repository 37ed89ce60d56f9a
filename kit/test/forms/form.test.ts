import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, Status } from '../../src/fault.ts';
import { codePoints, Form } from '../../src/form.ts';

describe('a form', () => {
  it('reports all violations at once, in order, as INVALID_FORM_BODY', () => {
    const form = new Form();
    form.text('name', '', { min: 1, max: 3 });
    form.text('nick', 'abcd', { min: 1, max: 3, code: 'NICK' });
    form.text('bio', 'abcd', { max: 3 });
    form.text('key', 'a', { min: 2 });
    form.fail('color', 'COLOR_VALUE_TOO_HIGH', 'Too high.');
    let thrown: unknown;
    try {
      form.check();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(Fault);
    expect(thrown).toMatchObject({
      status: Status.INVALID_ARGUMENT,
      reason: 'INVALID_FORM_BODY',
      violations: [
        { path: 'name', code: 'STRING_LENGTH_INVALID', message: 'Must be between 1 and 3 characters long.' },
        { path: 'nick', code: 'NICK' },
        { path: 'bio', code: 'STRING_LENGTH_INVALID', message: 'Must be at most 3 characters long.' },
        { path: 'key', code: 'STRING_LENGTH_INVALID', message: 'Must be at least 2 characters long.' },
        { path: 'color', code: 'COLOR_VALUE_TOO_HIGH', message: 'Too high.' },
      ],
    });
  });

  it('accepts a text at its limits, and returns it', () => {
    const form = new Form();
    expect(form.text('a', 'a', { min: 1, max: 3 })).toBe('a');
    expect(form.text('a', 'abc', { min: 1, max: 3 })).toBe('abc');
    expect(form.text('a', '', {})).toBe('');
    form.check();
  });

  it('trims before counting if the rule says so', () => {
    const form = new Form();
    expect(form.text('a', ' \n\u00a0abc\t ', { max: 3, trim: true })).toBe('abc');
    form.check();
    expect(form.text('a', ' abc', { max: 3 })).toBe(' abc');
    form.text('b', '   ', { min: 1, trim: true });
    expect(form.violations.map(({ path }) => path)).toEqual(['a', 'b']);
  });

  it('counts code points, not UTF-16 units: a surrogate pair is one, a lone surrogate is one', () => {
    expect(['', 'é', '𝕏', '👩‍👩‍👧', '\ud83d', '\ude00\ud83d', 'a𝕏b'].map(codePoints)).toEqual([
      0, 1, 1, 5, 1, 2, 3,
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(0xffff)), (text, units) => {
        const any = text + String.fromCharCode(...units);
        expect(codePoints(any)).toBe([...any].length);
      }),
    );
  });
});
