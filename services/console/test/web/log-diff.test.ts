import { expect, it } from 'vitest';
import { diffOf } from '../../web/log/diff.ts';
import { targetHref } from '../../web/log/target-href.ts';
import { dateTimeText } from '../../web/text/clock-text.ts';

it('names the members that an action has changed', () => {
  const before = { id: '1', suspension: null, tags: ['a'] };
  const after = { id: '1', suspension: { at_ms: 0, reason: 'floods' }, tags: ['a', 'b'] };
  expect(diffOf(before, after)).toEqual([
    { path: 'suspension.at_ms', before: undefined, after: dateTimeText(0) },
    { path: 'suspension.reason', before: undefined, after: 'floods' },
    { path: 'tags', before: '["a"]', after: '["a","b"]' },
  ]);
});

it('reads JSON texts, and takes empty ones for nothing', () => {
  expect(diffOf('{"role":"read"}', '{"role":"admin"}')).toEqual([
    { path: 'role', before: 'read', after: 'admin' },
  ]);
  expect(diffOf('', null)).toEqual([]);
  expect(diffOf('', 'plain')).toEqual([{ path: '', before: undefined, after: 'plain' }]);
});

it('finds the pages of targets', () => {
  expect(targetHref('account:12')).toBe('/accounts/12');
  expect(targetHref('limit:ip:192.0.2.1 in global')).toBe('/limits?identity=ip%3A192.0.2.1');
  expect(targetHref('limit:account:1')).toBe('/limits?identity=account%3A1');
  expect(targetHref('operator:ada')).toBe('/operators');
  expect(targetHref('job:auth/mail')).toBe('/jobs');
  expect(targetHref('session:ab')).toBeUndefined();
});
