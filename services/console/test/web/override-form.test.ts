import { describe, expect, it } from 'vitest';
import { readOverride } from '../../web/limits/override-form.ts';

const fields = { bucket: '', exempt: false, limit: '500', window_seconds: '60', lasts_seconds: '3600' };

describe('the override form', () => {
  it('makes a body with its end', () => {
    const body = { exempt: false, limit: 500, window_seconds: 60, expires_at_ms: 3_601_000 };
    expect(readOverride(fields, 1_000)).toEqual({ body });
    expect(readOverride({ ...fields, bucket: 'global' }, 1_000)).toEqual({
      body: { ...body, bucket: 'global' },
    });
  });

  it('needs no limit for an exemption', () => {
    const exempt = { ...fields, exempt: true, limit: 'x', window_seconds: '' };
    expect(readOverride(exempt, 1_000)).toEqual({ body: { exempt: true, expires_at_ms: 3_601_000 } });
  });

  it.each(['', '0', '-1', '1.5', '1e3', 'many', '4294967296'])(
    'refuses the limit %j at its field',
    (limit) => {
      expect(readOverride({ ...fields, limit }, 0)).toEqual({
        problems: { limit: 'A whole number from 1.' },
      });
    },
  );

  it('refuses a window of more than a day', () => {
    expect(readOverride({ ...fields, window_seconds: '86401' }, 0)).toEqual({
      problems: { window_seconds: 'A whole number from 1 to 86400.' },
    });
    expect(readOverride({ ...fields, window_seconds: ' 86400 ' }, 0)).toHaveProperty('body');
  });
});
