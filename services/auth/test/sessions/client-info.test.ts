import { cpuStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { expect, test } from 'vitest';
import { loadUserAgentParser } from '../../src/sessions/client-info.ts';
import { maskIp } from '../../src/sessions/network.ts';

const clientInfo = await loadUserAgentParser();
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

test.each([
  [CHROME, 'Windows', 'Chrome'],
  [`${CHROME} Edg/126.0.0.0`, 'Windows', 'Microsoft Edge'],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'Android',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'macOS',
    'Safari',
  ],
  ['curl/8.5.0', null, 'curl'],
  ['node', null, 'node'],
  ['MyClient/1.0 (+https://example.com)', null, 'MyClient'],
  [null, null, null],
  ['', null, null],
  ['   ', null, null],
  ['\u0000', null, null],
  ['\u001b[31mred/1 ', null, null],
  ['<script>alert(1)</script>/1 (x)', null, null],
  ['💥/1.0', null, null],
  [`${'x'.repeat(65)}/1`, null, null],
])('of %j the system is %s and the browser %s', (userAgent, os, browser) => {
  expect(clientInfo(userAgent)).toEqual({ os, browser });
});

test('the client info of any User-Agent is short and printable', () => {
  const pieces = ['/', ' ', '(', ')', ';', 'Mozilla/5.0', 'Opera', 'version/', '\t', 'é', '\u202e', 'a'];
  let state = 1;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: next(40) }, () => pieces[next(pieces.length)]).join('');
    for (const name of Object.values(clientInfo(text)))
      if (name !== null) expect(name).toMatch(/^[ -~]{1,64}$/);
  }
});

test('a hostile User-Agent of 16 KiB costs no more than its first 512 characters', () => {
  const took_ms = cpuStopwatch();
  for (const piece of [
    'a/',
    ' ',
    'opera ',
    'version/',
    '(',
    'android ',
    'mac os x ',
    '1.',
    'windows ',
    '/ (',
  ])
    for (let round = 0; round < 20; round++) clientInfo(piece.repeat(16_384 / piece.length) + round);
  expect(took_ms()).toBeLessThan(1_000);
});

test.each([
  ['203.0.113.77', '203.0.*.*'],
  ['0.0.0.0', '0.0.*.*'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:*'],
  ['2001:db8::1', '2001:db8:*'],
  ['2001::1', '2001:0:*'],
  ['::1', '0:0:*'],
  ['fe80::', 'fe80:0:*'],
  [null, null],
  ['', null],
  ['localhost', null],
  ['203.0.113.77, 10.0.0.1', null],
])('the address %j is shown as %j', (ip, masked) => {
  expect(maskIp(ip)).toBe(masked);
});
