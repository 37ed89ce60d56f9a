import { expect, it } from 'vitest';
import { ApiError } from '../src/shared/api/api-error.ts';
import { endsByItself, pauseOf } from '../src/shared/api/retry-later.ts';
import { UserFacingError } from '../src/shared/api/user-facing-error.ts';

it('a page tries again after no connection and after errors of the server, not after a refusal', () => {
  expect([0, 500, 503, 504].map((status) => endsByItself(new ApiError(status, {})))).not.toContain(false);
  expect([400, 401, 403, 404, 429].map((status) => endsByItself(new ApiError(status, {})))).not.toContain(
    true,
  );
  expect(endsByItself(new UserFacingError('Correct the marked fields first.'))).toBe(false);
});

it('the pauses double, up to half a minute', () => {
  expect([0, 1, 2, 3, 4, 100].map(pauseOf)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});
