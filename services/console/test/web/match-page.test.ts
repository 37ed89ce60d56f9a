import { expect, it } from 'vitest';
import { CONSOLE_PAGES } from '../../web/router/console-pages.ts';
import { matchPage } from '../../web/router/match-page.ts';

it('finds each page of the list at its own path', () => {
  for (const page of CONSOLE_PAGES) {
    const path = page.replace(/:[a-z_]+/, '12');
    expect(matchPage(path)).toEqual({ page, parameter: page.includes(':') ? '12' : '' });
  }
});

it('takes a slash at the end, and decodes the parameter', () => {
  expect(matchPage('/accounts/')).toEqual({ page: '/accounts', parameter: '' });
  expect(matchPage('/requests/a%2Fb')).toEqual({ page: '/requests/:request_id', parameter: 'a/b' });
  expect(matchPage('/requests/%')).toEqual({ page: '/requests/:request_id', parameter: '%' });
});

it('finds no page at other paths', () => {
  for (const path of ['/nothing', '/accounts/1/2', '/routes/1', '/requests'])
    expect(matchPage(path), path).toBeUndefined();
});
