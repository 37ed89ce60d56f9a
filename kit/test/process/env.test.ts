import { describe, expect, it } from 'vitest';
import { ConfigError, type EnvReader, readEnv } from '../../src/env.ts';

function problemsOf(env: NodeJS.ProcessEnv, build: (read: EnvReader) => unknown): readonly string[] {
  try {
    readEnv(env, build);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the environment', () => {
  it('is read as typed values, with defaults where a variable is missing or empty', () => {
    const env = {
      TEXT: 'a b',
      INTEGER: '-12',
      PORT: '0',
      FLAG: 'on',
      CHOICE: 'b',
      URL: 'redis://h:1/2',
      EMPTY: '',
    };
    const config = readEnv(env, (read) => ({
      text: [
        read.text('TEXT', { about: 'a test' }),
        read.text('EMPTY', { about: 'a test', default: 'default' }),
        read.text('MISSING', { about: 'a test', default: '' }),
      ],
      optional: [
        read.optionalText('TEXT', { about: 'a test', unset: 'unset' }),
        read.optionalText('EMPTY', { about: 'a test', unset: 'unset' }),
        read.optionalText('MISSING', { about: 'a test', unset: 'unset' }),
      ],
      integer: [
        read.integer('INTEGER', { about: 'a test' }),
        read.integer('EMPTY', { about: 'a test', default: 3 }),
      ],
      optionalInteger: [
        read.optionalInteger('INTEGER', { about: 'a test', unset: 'unset' }),
        read.optionalInteger('EMPTY', { about: 'a test', unset: 'unset' }),
      ],
      port: [read.port('PORT', { about: 'a test' }), read.port('MISSING', { about: 'a test', default: 80 })],
      flag: [
        read.flag('FLAG', { about: 'a test' }),
        read.flag('MISSING', { about: 'a test', default: false }),
      ],
      choice: [
        read.choice('CHOICE', { about: 'a test', choices: ['a', 'b'] }),
        read.choice('MISSING', { about: 'a test', choices: ['a', 'b'], default: 'a' }),
      ],
      url: [
        read.url('URL', { about: 'a test', protocols: ['redis'] }),
        read.url('MISSING', { about: 'a test', protocols: ['redis'], default: 'redis://default' }),
      ],
      optional_url: [
        read.optionalUrl('URL', { about: 'a test', unset: 'unset', protocols: ['redis'] }),
        read.optionalUrl('MISSING', { about: 'a test', unset: 'unset', protocols: ['redis'] }),
      ],
    }));
    expect(config).toEqual({
      text: ['a b', 'default', ''],
      optional: ['a b', undefined, undefined],
      integer: [-12, 3],
      optionalInteger: [-12, undefined],
      port: [0, 80],
      flag: [true, false],
      choice: ['b', 'a'],
      url: ['redis://h:1/2', 'redis://default'],
      optional_url: ['redis://h:1/2', undefined],
    });
  });

  it('reports every problem at once, by name, and no value, which may be a secret', () => {
    const env = {
      INTEGER: '1.5',
      OPTIONAL_INTEGER: '10',
      PORT: '70000',
      FLAG: 'maybe',
      CHOICE: 'c',
      URL: 'http://user:hunter2@h',
      ADDRESS: 'h',
    };
    const build = (read: EnvReader) => {
      read.text('MISSING', { about: 'a test' });
      read.integer('INTEGER', { about: 'a test', min: 0, max: 9 });
      read.optionalInteger('OPTIONAL_INTEGER', { about: 'a test', unset: 'unset', min: 0, max: 9 });
      read.port('PORT', { about: 'a test' });
      read.flag('FLAG', { about: 'a test' });
      read.choice('CHOICE', { about: 'a test', choices: ['a', 'b'] });
      read.url('URL', { about: 'a test', protocols: ['postgres', 'postgresql'] });
      read.optionalUrl('URL', { about: 'a test', unset: 'unset', protocols: ['redis'] });
      read.address('ADDRESS', { about: 'a test' });
      read.problem('INTEGER and PORT contradict each other');
    };
    expect(problemsOf(env, build)).toEqual([
      'MISSING is required',
      'INTEGER must be a whole number from 0 to 9',
      'OPTIONAL_INTEGER must be a whole number from 0 to 9',
      'PORT must be a port from 0 to 65535',
      'FLAG must be on or off',
      'CHOICE must be one of a, b',
      'URL must be a URL that begins with postgres:// or postgresql://',
      'URL must be a URL that begins with redis://',
      'ADDRESS must be host:port, or several separated by commas',
      'INTEGER and PORT contradict each other',
    ]);
    expect(() => readEnv(env, build)).toThrow(
      /^The configuration cannot be used:\n {2}- MISSING is required\n/,
    );
  });

  it('reports its problems even if later code fails for a missing value', () => {
    expect(
      problemsOf({}, (read) => new URL(read.url('URL', { about: 'a test', protocols: ['http'] }))),
    ).toEqual(['URL is required']);
    expect(() =>
      readEnv({}, () => {
        throw new TypeError('a mistake of ours');
      }),
    ).toThrow(TypeError);
  });

  it.each(['0', '9', '-0', '00009'])('takes the integer %s', (text) => {
    expect(readEnv({ X: text }, (read) => read.integer('X', { about: 'a test', min: 0, max: 9 }))).toBe(
      Number(text),
    );
  });

  it.each(['10', '-1', '', ' 1', '1e0', '0x1', '1_0', '+1', 'NaN', '99999999999999999999'])(
    'refuses "%s" as an integer from 0 to 9',
    (text) => {
      expect(
        problemsOf({ X: text }, (read) => read.integer('X', { about: 'a test', min: 0, max: 9 })),
      ).toHaveLength(1);
    },
  );

  it.each(['on', 'true', '1', 'off', 'false', '0'])('takes the flag %s', (text) => {
    expect(readEnv({ X: text }, (read) => read.flag('X', { about: 'a test' }))).toBe(
      ['on', 'true', '1'].includes(text),
    );
  });

  it.each(['127.0.0.1:80', 'chat:8083', '[::1]:0', 'a:1,b:2', 'a:1, [fe80::1]:65535'])(
    'takes the address %s',
    (text) => {
      expect(readEnv({ X: text }, (read) => read.address('X', { about: 'a test' }))).toBe(text);
    },
  );

  it.each(['chat', ':80', 'chat:', 'chat:65536', 'chat:port', 'a:1,', '::1:80', 'http://chat:80', 'a b:1'])(
    'refuses the address "%s"',
    (text) => {
      expect(problemsOf({ X: text }, (read) => read.address('X', { about: 'a test' }))).toHaveLength(1);
    },
  );

  it('takes one address to listen on, not a list', () => {
    expect(readEnv({ X: '[::1]:0' }, (read) => read.listenAddress('X', { about: 'a test' }))).toBe('[::1]:0');
    for (const text of ['127.0.0.1:19001,127.0.0.1:19002', 'a:1,', '9464'])
      expect(problemsOf({ X: text }, (read) => read.listenAddress('X', { about: 'a test' }))).toEqual([
        'X must be one host:port',
      ]);
  });

  it.each(['postgres://h/d', 'postgresql://u:p@h:5432/d?sslmode=disable'])('takes the URL %s', (text) => {
    expect(
      readEnv({ X: text }, (read) =>
        read.url('X', { about: 'a test', protocols: ['postgres', 'postgresql'] }),
      ),
    ).toBe(text);
  });

  it('takes a URL without the white space around it', () => {
    const [url, optional] = readEnv({ X: ' redis://h:1 \n' }, (read) => [
      read.url('X', { about: 'a test', protocols: ['redis'] }),
      read.optionalUrl('X', { about: 'a test', unset: 'unset', protocols: ['redis'] }),
    ]);
    expect([url, optional]).toEqual(['redis://h:1', 'redis://h:1']);
  });

  it.each(['h/d', 'mysql://h/d', 'postgres', '//h', 'postgres://a\tb/d'])('refuses the URL "%s"', (text) => {
    expect(
      problemsOf({ X: text }, (read) =>
        read.url('X', { about: 'a test', protocols: ['postgres', 'postgresql'] }),
      ),
    ).toHaveLength(1);
  });
});

describe('a refused URL', () => {
  const words = (text: string, protocols: readonly string[]) =>
    problemsOf({ URL: text }, (read) => read.url('URL', { about: 'a test', protocols }));
  const POSTGRES = ['postgres', 'postgresql'];
  const ONE = 'names several servers, and only one is possible';

  it.each([
    ['postgres://u:p%@h/d', 'has a % that starts no escape'],
    ['postgres://u:p%zz@h/d', 'has a % that starts no escape'],
    ['postgres://u:p%ff@h/d', 'has a % that starts no escape'],
    ['postgres://u%5@h/d', 'has a % that starts no escape'],
    ['postgres:///d?host=/run&user=u&password=p%', 'has a % that starts no escape'],
    ['postgres://u:1/p@h/d', 'has an @ after its host'],
    ['postgres://u:p?p@h/d', 'has an @ after its host'],
    ['postgres://u:p#p@h/d', 'has an @ after its host'],
    ['postgres://u:p@one,two/d', ONE],
    ['postgresql://u:p@one:5432,two:5433/d?target_session_attrs=primary', ONE],
    ['postgres://u:p@[::1]:1,[::2]:2/d', ONE],
    ['postgres://u:p@/d?host=one,two', ONE],
    ['postgres:///d?user=u&host=one&host=two', ONE],
    ['postgres://u:p@/d?host=/run/postgresql', 'has a user but no host'],
    ['postgres:///d?host=h&port=1,2', 'has a port= that is not a port'],
    ['postgres://u:p@h/d?service=main', 'has the parameter service='],
    ['postgres://u:p@h/d?hostaddr=192.0.2.1', 'has the parameter hostaddr='],
    ['postgres://u:p@h/?dbname=d', 'has the parameter dbname='],
    ['postgres://u:p@127.0.0.1:99999/d', 'has an invalid host or port'],
    ['POSTGRES://u:p@h:port/d', 'has an invalid host or port'],
    ['postgres://u:p@h\t/d', 'has an invalid host or port, or a tab'],
    ['host=h dbname=d password=p', 'must be a URL that begins with postgres://'],
  ])('%s: the text is accurate, and does not contain its password', (text, reason) => {
    const [problem, ...more] = words(text, POSTGRES);
    expect(problem).toContain(`URL ${reason}`);
    expect(problem).not.toMatch(/p%|:p|p@|one,|two|192/);
    expect(more).toEqual([]);
  });

  it.each([
    'postgres://u:p%25%40%2F@h/d',
    'postgres://u:p@@h/d',
    'postgres://h/d?user=me@here&password=x',
    'postgres:///d?host=/run/postgresql&user=u&password=p',
    'postgres://u:p@%2Frun%2Fpostgresql/d',
    'postgres://u:p@[::1]:5433/d?sslmode=verify-full',
  ])('but %s is', (text) => {
    expect(words(text, POSTGRES)).toEqual([]);
  });

  it.each([
    ['redis://:p@h:99999/0', 'redis'],
    ['smtps://u:p@2001:db8::1', 'smtps'],
    ['https://h:port/v1/traces', 'https'],
    ['http://', 'http'],
  ])('%s has the right scheme, but an invalid host or port', (text, protocol) => {
    expect(words(text, [protocol])[0]).toContain('URL has an invalid host or port');
  });

  it('the same holds for mail', () => {
    expect(words('smtp://me:100%@mail', ['smtp', 'smtps'])).toEqual([
      'URL has a % that starts no escape: in user and password write % as %25',
    ]);
    expect(words('smtp://me:1/0@mail', ['smtp', 'smtps'])[0]).toContain('has an @ after its host');
  });
});
