import { describe, expect, it } from 'vitest';
import { mailOf, piecesOf } from '../src/dev/mail/route.ts';

describe('the address of a mail', () => {
  it.each([
    ['', undefined, 'html'],
    ['#', undefined, 'html'],
    ['#all', undefined, 'html'],
    ['#12', '12', 'html'],
    ['#12/text', '12', 'text'],
    ['#12/source', '12', 'source'],
    ['#12/other', '12', 'html'],
    ['#12/', undefined, 'html'],
    [`#${'1'.repeat(21)}`, undefined, 'html'],
    ['#1x', undefined, 'html'],
  ])('%s', (hash, id, part) => {
    expect(mailOf(hash)).toEqual({ id, part });
  });
});

describe('the links of a text', () => {
  const linksOf = (text: string) => piecesOf(text).flatMap((piece) => (piece.isLink ? [piece.text] : []));

  it.each([
    ['Open http://localhost:8080/verify#token=a_b-c.', ['http://localhost:8080/verify#token=a_b-c']],
    [
      '(https://a.example/b)\nhttps://c.example?d=e&f=%2F',
      ['https://a.example/b', 'https://c.example?d=e&f=%2F'],
    ],
    ['<https://a.example>"https://b.example"', ['https://a.example', 'https://b.example']],
    ['javascript:alert(1) ftp://a.example data:text/html,x //b.example', []],
    ['', []],
  ])('%j', (text, links) => {
    expect(linksOf(text)).toEqual(links);
    expect(
      piecesOf(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('of 100,000 characters are found quickly', () => {
    const startedAt = performance.now();
    piecesOf('http://....'.repeat(10_000));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
