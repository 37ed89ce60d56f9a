import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemText } from '../../src/descriptors/file/problem.ts';
import { readConfiguration } from '../../src/descriptors/file/read-configuration.ts';
import { folderOf } from './files.ts';

/** The problems of files, without the folder. */
function problemsOf(files: Readonly<Record<string, string | Uint8Array>>): string[] {
  const folder = folderOf(files);
  return readConfiguration([folder]).problems.map((problem) =>
    problemText(problem).replaceAll(`${folder}/`, '').replaceAll(folder, 'folder'),
  );
}

const problemsIn = (text: string): string[] => problemsOf({ 'a.yaml': text });
const descriptors = (text: string): string[] => problemsIn(`domain: d\ndescriptors:\n${text}`);

describe('a valid file', () => {
  test('has its domain, descriptors and limits', () => {
    const folder = folderOf({
      'a.yaml': `
domain: shop
descriptors:
  - key: user
    value: 7
    rate_limit: {unit: Hour, requests_per_unit: 1_000, name: seven, replaces: [{name: other}]}
    shadow_mode: yes
    detailed_metric: true
    descriptors:
      - key: path
        value: /api/*
        share_threshold: true
        rate_limit: {unit: minute, unit_multiplier: 15, requests_per_unit: 2, algorithm: fixed_window, failure_policy: closed}
  - key: free
    rate_limit: {unlimited: true}
    metadata: {plan: {level: 3, names: [a, b]}}
`,
    });
    const { domains, problems, files } = readConfiguration([folder]);
    expect(problems).toEqual([]);
    expect(files).toEqual([join(folder, 'a.yaml')]);
    expect(domains).toMatchObject([
      {
        domain: 'shop',
        descriptors: [
          {
            key: 'user',
            value: '7',
            limit: {
              path: 'shop.user_7',
              name: 'seven',
              replaces: ['other'],
              mode: 'shadow',
              detailed_metric: true,
              rate: { requests_per_unit: 1000, unit: 'hour', unit_multiplier: 1, window_seconds: 3600 },
            },
            descriptors: [
              {
                key: 'path',
                value: '/api/*',
                share_threshold: true,
                limit: {
                  path: 'shop.user_7.path_/api/*',
                  rate: {
                    window_seconds: 900,
                    unit_multiplier: 15,
                    algorithm: 'fixed_window',
                    failure_policy: 'closed',
                  },
                },
              },
            ],
          },
          { key: 'free', limit: { rate: undefined, metadata: { plan: { level: 3, names: ['a', 'b'] } } } },
        ],
      },
    ]);
  });

  test('may have anchors, aliases and merged mappings', () => {
    const folder = folderOf({
      'a.yaml': `
domain: d
descriptors:
  - key: a
    rate_limit: &slow {unit: day, requests_per_unit: 5}
  - key: b
    rate_limit: *slow
  - key: c
    rate_limit: {<<: *slow, requests_per_unit: 6}
`,
    });
    const { domains, problems } = readConfiguration([folder]);
    expect(problems).toEqual([]);
    expect(domains[0]?.descriptors.map(({ limit }) => limit?.rate?.requests_per_unit)).toEqual([5, 5, 6]);
    expect(domains[0]?.descriptors.map(({ limit }) => limit?.rate?.unit)).toEqual(['day', 'day', 'day']);
  });

  test.each(['second', 'minute', 'hour', 'day', 'week', 'month', 'year'])('may have the unit %s', (unit) => {
    expect(descriptors(`  - {key: a, rate_limit: {unit: ${unit}, requests_per_unit: 1}}`)).toEqual([]);
  });

  test('keeps values as they are written', () => {
    const folder = folderOf({
      'a.yaml':
        'domain: d\ndescriptors: [{key: a, value: 1.50}, {key: a, value: on}, {key: a, value: "x y"}, {key: a, value: 0x1F}]',
    });
    const { domains } = readConfiguration([folder]);
    expect(domains[0]?.descriptors.map(({ value }) => value)).toEqual(['1.50', 'on', 'x y', '0x1F']);
  });
});

describe('an invalid file', () => {
  test('names every problem with its line and column', () => {
    expect(
      problemsIn(`domain: d
descriptors:
  - key: a
    value: x
    ratelimit: {unit: day, requests_per_unit: 5}
  - key: b
    rate_limit: {unit: fortnight, requests_per_unit: -1}
  - value: c
  - key: a
    value: x
`),
    ).toEqual([
      expect.stringMatching(
        /^a\.yaml:5:5: unknown key "ratelimit": a descriptor has key, value, rate_limit, /,
      ),
      'a.yaml:7:24: unknown unit "fortnight": it must be one of second, minute, hour, day, week, month, year',
      'a.yaml:7:35: requests_per_unit must be a whole number from 0 to 4294967295',
      'a.yaml:8:5: key is required, and not empty',
      'a.yaml:9:5: a second descriptor of key a and value x in one list: keep one',
    ]);
  });

  test.each([
    ['no domain', 'descriptors: []', 'a.yaml:1:1: domain is required'],
    ['an empty domain', 'domain:\ndescriptors: []', 'a.yaml:1:1: domain is required'],
    ['nothing', '', 'a.yaml:1:1: the file must be a mapping of domain, descriptors'],
    ['a list', '- a', 'a.yaml:1:1: the file must be a mapping'],
    ['a key that is a number', '0.25: d', 'a.yaml:1:1: unknown key "0.25"'],
    ['a repeated key', 'domain: a\ndomain: b', 'a.yaml:2:1: the key domain is repeated'],
    ['an unclosed quote', "domain: 'd", 'a.yaml:1:11: invalid YAML: Missing closing'],
    ['two documents', 'domain: a\n---\ndomain: b', 'a.yaml:2:1: a file has one domain'],
    ['a tag', 'domain: !!js/function x', 'a.yaml:1:9: invalid YAML: Unresolved tag'],
    ['a control character', 'domain: d\ndescr\u0000', 'a.yaml:2:6: a control character'],
    ['deep nesting', `domain: ${'['.repeat(5_000)}`, 'the file is nested too deeply'],
  ])('%s', (_, text, problem) => {
    expect(problemsIn(text)[0]).toContain(problem);
  });

  test.each([
    ['descriptors that are texts', '  - a', '3:5: a descriptor must be a mapping'],
    ['descriptors that are no list', '  key: a', '3:3: descriptors must be a list'],
    ['a key with a wildcard', '  - key: a*', '3:5: a key has no wildcard'],
    [
      'a shared threshold without a wildcard',
      '  - {key: a, value: b, share_threshold: true}',
      'needs a value with a wildcard',
    ],
    ['a flag of another kind', '  - {key: a, shadow_mode: maybe}', 'shadow_mode must be true or false'],
    ['shadow_mode without a limit', '  - {key: a, shadow_mode: true}', 'shadow_mode needs a rate_limit'],
    ['no unit', '  - {key: a, rate_limit: {requests_per_unit: 1}}', 'unit is required'],
    ['no requests_per_unit', '  - {key: a, rate_limit: {unit: day}}', 'requests_per_unit must be'],
    [
      'a misspelled requests_per_unit',
      '  - {key: a, rate_limit: {unit: day, requestsperunit: 1}}',
      'unknown key "requestsperunit"',
    ],
    ['a fraction', '  - {key: a, rate_limit: {unit: day, requests_per_unit: 1.5}}', 'must be a whole number'],
    [
      'an unlimited limit with a unit',
      '  - {key: a, rate_limit: {unlimited: true, unit: day}}',
      'has no unit: remove one of the two',
    ],
    [
      'an algorithm of another kind',
      '  - {key: a, rate_limit: {unit: day, requests_per_unit: 1, algorithm: magic}}',
      'algorithm must be one of leaky_bucket, fixed_window',
    ],
    [
      'a limit that no leaky bucket counts exactly',
      '  - {key: a, rate_limit: {unit: year, requests_per_unit: 4_000_000_000}}',
      'no exact leaky bucket of 4000000000 tokens per 31536000 s: lower it, or add algorithm: fixed_window',
    ],
    [
      'a window over a year',
      '  - {key: a, rate_limit: {unit: year, unit_multiplier: 2, requests_per_unit: 1}}',
      '2 × year is more than a year',
    ],
    [
      'itself as replaced',
      '  - {key: a, rate_limit: {unit: day, requests_per_unit: 1, name: n, replaces: [{name: n}]}}',
      'n replaces itself',
    ],
    [
      'an empty entry of replaces',
      '  - {key: a, rate_limit: {unit: day, requests_per_unit: 1, replaces: [{name: }]}}',
      'has the name of another',
    ],
    [
      'replaces as texts',
      '  - {key: a, rate_limit: {unit: day, requests_per_unit: 1, replaces: [n]}}',
      'must be a mapping of name',
    ],
    [
      'metadata that is a text',
      '  - {key: a, rate_limit: {unlimited: true}, metadata: x}',
      'metadata must be a mapping',
    ],
    ['an alias without an anchor', '  - {key: a, rate_limit: *nowhere}', '*nowhere has no anchor'],
    ['a cycle of mappings', '  - &x {<<: *x, key: a}', 'stands for a value that contains it'],
    ['a cycle of descriptors', '  - &x {key: a, descriptors: [*x]}', 'stands for a value that contains it'],
    [
      'a cycle of metadata',
      '  - {key: a, rate_limit: {unlimited: true}, metadata: &x {y: *x}}',
      'stands for a value that contains it',
    ],
    [
      'two paths that look the same',
      '  - {key: a_b, rate_limit: {unlimited: true}}\n  - {key: a, value: b, rate_limit: {unlimited: true}}',
      'another limit has the name d.a_b in metrics',
    ],
    ['a value over 512 bytes', `  - {key: a, value: ${'é'.repeat(257)}}`, 'value has more than 512 bytes'],
  ])('%s', (_, text, problem) => {
    expect(descriptors(text).join('\n')).toContain(problem);
  });

  test('17 levels', () => {
    const nested = (levels: number): string =>
      Array.from(
        { length: levels },
        (_, i) => `${' '.repeat(2 * i + 2)}- key: k\n${' '.repeat(2 * i + 4)}descriptors:`,
      ).join('\n');
    expect(descriptors(`${nested(15)}\n${' '.repeat(32)}- key: last`)).toEqual([]);
    expect(descriptors(`${nested(16)}\n${' '.repeat(34)}- key: last`)).toEqual([
      expect.stringContaining('descriptors have at most 16 levels'),
    ]);
  });

  test('aliases that multiply', () => {
    const levels = Array.from({ length: 12 }, (_, i) => {
      const inner =
        i === 0
          ? ''
          : `, descriptors: [${Array.from({ length: 9 }, (_, n) => `{key: k${n}, descriptors: *l${i - 1}}`).join(', ')}]`;
      return `  - {key: level${i}, descriptors: &l${i} [{key: x${inner}}]}`;
    });
    expect(descriptors(levels.join('\n'))).toEqual([
      expect.stringMatching(/a file has at most 20000 descriptors/),
    ]);
  });

  test('mappings that multiply by merging', () => {
    const big = Array.from({ length: 1_000 }, (_, i) => `x${i}: 1`).join(', ');
    const merged = Array.from({ length: 1_000 }, () => '*big').join(', ');
    expect(descriptors(`  - &big {${big}}\n  - {<<: [${merged}]}`).at(-1)).toMatch(/more problems$/);
    const nested = `${'{<<: '.repeat(100)}{key: a}${'}'.repeat(100)}`;
    expect(descriptors(`  - ${nested}`).join()).toContain('this value is nested in 64 others');
  });

  test('more than 10,000 limits', () => {
    const limits = (count: number): string =>
      Array.from({ length: count }, (_, i) => `  - {key: k${i}, rate_limit: {unlimited: true}}`).join('\n');
    expect(descriptors(limits(10_000))).toEqual([]);
    expect(descriptors(limits(10_001))).toEqual([
      'a.yaml:10003:19: a configuration has at most 10000 limits',
    ]);
  });

  test('more than 1 MiB', () => {
    const padding = '#'.repeat(1_048_576);
    expect(problemsIn(`${padding.slice(10)}\ndomain: d`)).toEqual([]);
    expect(problemsIn(`${padding.slice(9)}\ndomain: d`)).toEqual([
      expect.stringContaining('at most 1048576 bytes, and this one 1048577'),
    ]);
    expect(problemsIn(padding.repeat(10))).toEqual([expect.stringContaining('and this one 10485760')]);
  });

  test('a problem for each character is cut', () => {
    const problems = problemsIn(`domain: d\ndescriptors: [${','.repeat(3_000)}]`);
    expect(problems).toHaveLength(1_001);
    expect(problems.at(-1)).toMatch(/^a\.yaml:2:1016: [0-9]+ more problems$/);
  });

  test('bytes that are no text', () => {
    expect(problemsOf({ 'a.yaml': Uint8Array.of(0xff, 0xfe, 0x00) })).toEqual([
      'a.yaml:1:1: the file is not UTF-8 text',
    ]);
  });
});

describe('several files', () => {
  test('of one domain are refused, with the problems of every file', () => {
    expect(
      problemsOf({
        'a.yaml': 'domain: d',
        'b.yml': 'domain: d',
        'c.yaml': 'no: 1',
        'd.txt': '',
        '.e.yaml': '',
      }),
    ).toEqual([
      expect.stringMatching(/^b\.yml:1:1: a\.yaml has domain d too/),
      expect.stringMatching(/^c\.yaml:1:1: unknown key "no"/),
      expect.stringMatching(/^c\.yaml:1:1: domain is required/),
    ]);
  });

  test('a folder without any is a problem, and so are a missing path and one that is no file', () => {
    expect(problemsOf({})).toEqual(['folder:1:1: the folder has no file *.yaml or *.yml']);
    const texts = readConfiguration(['/no/such', '/dev/null']).problems.map(problemText);
    expect(texts).toEqual([
      expect.stringContaining('/no/such:1:1: the path cannot be read'),
      '/dev/null:1:1: it is not a file',
    ]);
  });
});
