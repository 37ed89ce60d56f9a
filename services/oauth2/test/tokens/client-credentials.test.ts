import { Fault } from '@gatehouse/kit/fault';
import { describe, expect, it, test } from 'vitest';
import { clientCredentials, readBasic } from '../../src/clients/client-credentials.ts';
import { readTokenForm } from '../../src/clients/token-form.ts';

const FORM = 'application/x-www-form-urlencoded';
const NO_CREDENTIALS = { client_id: undefined, client_secret: undefined };

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const form = (text: string) => readTokenForm(FORM, Buffer.from(text));

describe('HTTP Basic', () => {
  test.each<[string, string, string | undefined, string | undefined]>([
    ['ID and secret', basic('12:s3cret'), '12', 's3cret'],
    ['a secret with colons', basic('12:a:b:'), '12', 'a:b:'],
    ['percent signs', basic('%31%32:a%3Ab%25%2B'), '12', 'a:b%+'],
    ['a plus sign, which is a space in a form', basic('12:a+b'), '12', 'a b'],
    ['no padding', 'Basic MTI6cw', '12', 's'],
    ['an empty ID', basic(':s'), undefined, 's'],
    ['an empty secret', basic('12:'), '12', undefined],
    ['other scripts', basic('12:%C3%A9é'), '12', 'éé'],
  ])('is read: %s', (_what, header, client_id, client_secret) => {
    expect(readBasic(header)).toEqual({ client_id, client_secret });
  });

  test.each<[string, string | null | undefined]>([
    ['no header', undefined],
    ['null', null],
    ['an empty one', ''],
    ['nothing after the scheme', 'Basic'],
    ['a blank after the scheme', 'Basic '],
    ['two spaces', 'Basic  MTI6cw=='],
    ['a tab', 'Basic\tMTI6cw=='],
    ['text behind', 'Basic MTI6cw== x'],
    ['no base64', 'Basic 12:s'],
    ['base64url', `Basic ${Buffer.from('12:\u{fffff}?>').toString('base64url')}`],
    ['no colon', basic('12')],
    ['a stray percent sign', basic('12:100%')],
    ['percent signs that are no UTF-8', basic('12:%ff')],
    ['a percent sign at the end', basic('12:%')],
    ['no base64 but padding', 'Basic ===='],
    ['a colon for the blank', 'Basic:MTI6cw=='],
    ['a comma behind', 'Basic MTI6cw==,'],
    ['a parameter behind', 'Basic MTI6cw==;q=1'],
    ['quotes around', 'Basic "MTI6cw=="'],
    ['a realm', 'Basic realm="x", MTI6cw=='],
    ['other characters before', 'Basic !!!!MTI6cw=='],
    ['the scheme twice', 'Basic Basic MTI6cw=='],
    ['no scheme', 'MTI6cw=='],
    ['zeros', `Basic ${'A'.repeat(10_000)}`],
    ['another scheme', 'Bearer MTI6cw=='],
    ['the scheme in another case', 'basic MTI6cw=='],
  ])('that is malformed counts as absent: %s', (_what, header) => {
    expect(readBasic(header)).toBeUndefined();
    expect(clientCredentials(new Map(), header)).toEqual(NO_CREDENTIALS);
  });
});

describe('each form parameter overrides its counterpart of Basic', () => {
  test.each<[string, string, string | undefined, string | undefined]>([
    ['both', 'client_id=1&client_secret=a', '1', 'a'],
    ['the ID', 'client_id=1', '1', 'b'],
    ['the secret', 'client_secret=a', '2', 'a'],
    ['neither', '', '2', 'b'],
    ['empty ones, which are absent', 'client_id=&client_secret=', '2', 'b'],
  ])('%s', (_what, text, client_id, client_secret) => {
    expect(clientCredentials(form(text), basic('2:b'))).toEqual({ client_id, client_secret });
  });
});

describe('a form', () => {
  it('is read for any letter case and parameters of its content type', () => {
    for (const type of [FORM, FORM.toUpperCase(), `${FORM};charset=UTF-8`, ` ${FORM} ; x=y`])
      expect([...readTokenForm(type, Buffer.from('token=a+b%20c%3D%C3%A9&empty='))]).toEqual([
        ['token', 'a b c=é'],
      ]);
  });

  it('may have unknown parameters', () => {
    expect(form('resource=x&token=t').get('token')).toBe('t');
    expect(form('?token=t').get('token')).toBeUndefined();
  });

  test.each<[string, string | null | undefined, string | Uint8Array]>([
    ['without a content type', undefined, 'token=t'],
    ['that is said to be JSON', 'application/json', '{"token":"t"}'],
    ['that is said to be text', 'text/plain', 'token=t'],
    ['that is multipart', 'multipart/form-data; boundary=x', '--x--'],
    ['with the type after another one', `text/plain, ${FORM}`, 'token=t'],
    ['with a repeated parameter', FORM, 'token=t&token=u'],
    ['with a repeated parameter of one value', FORM, 'token=t&x=1&token=t'],
    ['with an empty parameter that is repeated', FORM, 'token=t&token='],
    ['with a repeated unknown parameter', FORM, 'x=1&x=2&token=t'],
    ['with a parameter that is repeated in another spelling', FORM, 'token=t&%74oken=u'],
    ['with invalid UTF-8', FORM, Uint8Array.of(0x74, 0x3d, 0xff)],
  ])('%s is invalid_request', (_what, type, body) => {
    const read = () => readTokenForm(type, Buffer.from(body));
    expect(read).toThrow(Fault);
    expect(read).toThrow(/^invalid_request: /);
  });
});
