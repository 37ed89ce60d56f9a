import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codePoints } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderCodehost } from '../src/codehost/render.ts';

import { none, repository } from './codehost-fixtures.ts';

describe('the example deliveries of a real code host', () => {
  interface Example {
    readonly action?: string;
    readonly ref?: string;
    readonly commits?: readonly unknown[];
  }
  const path = fileURLToPath(import.meta.resolve('@octokit/webhooks-examples'));
  const corpus: readonly { name: string; examples: Example[] }[] = JSON.parse(readFileSync(path, 'utf8'));
  const deliveries = corpus.flatMap(({ name, examples }) => examples.map((payload) => ({ name, payload })));

  const ACTIONS: Readonly<Record<string, readonly string[] | 'any'>> = {
    commit_comment: ['created'],
    create: 'any',
    delete: 'any',
    fork: 'any',
    issue_comment: ['created'],
    issues: ['opened', 'closed', 'reopened'],
    member: ['added'],
    public: 'any',
    pull_request: ['opened', 'closed', 'reopened'],
    pull_request_review: ['submitted'],
    pull_request_review_comment: ['created'],
    release: ['published'],
    watch: ['started'],
    check_run: ['completed'],
    check_suite: ['completed'],
    discussion: ['created'],
    discussion_comment: ['created'],
    repository: ['created'],
  };

  it('render exactly when the table says so, within all limits', () => {
    const rendered = deliveries.filter(({ name, payload }) => {
      const embed = renderCodehost(name, { ...payload });
      const actions = ACTIONS[name] ?? [];
      const expected =
        name === 'push'
          ? payload.commits?.length !== 0
          : actions === 'any' || actions.includes(payload.action ?? '');
      expect(embed !== undefined, `${name} ${payload.action}`).toBe(expected);
      if (embed !== undefined) expectWithinLimits(embed);
      return embed !== undefined;
    });
    expect(deliveries.length).toBeGreaterThan(300);
    expect(new Set(rendered.map(({ name }) => name)).size).toBe(19);
  });

  it('a push reads as worked out by hand', () => {
    const delivery = deliveries.find(
      ({ name, payload }) => name === 'push' && payload.ref === 'refs/heads/master',
    );
    expect(renderCodehost('push', { ...delivery?.payload })).toEqual({
      title: '[Hello-World:master] 1 new commit',
      url: 'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      color: 0x7289da,
      description:
        '[`6113728`](https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246) Initial commit - Codertocat',
      author: {
        name: 'Codertocat',
        url: 'https://github.com/Codertocat',
        icon_url: expect.stringMatching(/^https:\/\/avatars/),
      },
      fields: [],
    });
  });

  it('a discussion reads as worked out by hand', () => {
    const delivery = deliveries.find(
      ({ name, payload }) => name === 'discussion' && payload.action === 'created',
    );
    expect(renderCodehost('discussion', { ...delivery?.payload })).toMatchObject({
      title: '[octo-org/octo-repo] New discussion #90: Welcome to discussions!',
      url: 'https://github.com/octo-org/octo-repo/discussions/90',
      color: 0xe6c2b0,
      description: "We're glad to have you here!",
      author: { name: 'Codertocat' },
    });
  });

  it('a failed check reads as worked out by hand', () => {
    const delivery = deliveries.find(
      ({ name, payload }) => name === 'check_run' && payload.action === 'completed',
    );
    expect(renderCodehost('check_run', { ...delivery?.payload })).toEqual({
      ...none,
      title: '[Hello-World] Octocoders-linter failure on changes',
      url: 'https://github.com/Codertocat/Hello-World/commit/ec26c3e57ca3a959ca5aad62de7213c562f8c821',
      color: 0xfc2929,
    });
  });

  it('with any part replaced by any JSON still render within limits or not at all', () => {
    const known = deliveries.filter(({ name }) => name === 'push' || name in ACTIONS);
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.array(fc.tuple(fc.nat(), hostile()), { minLength: 1, maxLength: 4 }),
        ({ name, payload }, changes) => {
          const mutated = changes.reduce(
            (value, [at, change]) => replaced(value, at, change),
            payload as unknown,
          );
          const embed = renderCodehost(name, mutated as Record<string, unknown>);
          if (embed !== undefined) expectWithinLimits(embed);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('and so does any JSON at all', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('push', ...Object.keys(ACTIONS)),
        fc.dictionary(fc.string(), hostile()),
        (event, payload) => {
          const embed = renderCodehost(event, { ...payload, repository });
          if (embed !== undefined) expectWithinLimits(embed);
        },
      ),
    );
  });
});

function hostile(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      null,
      [],
      {},
      [[]],
      -1,
      1e308,
      '',
      ' ',
      '\u0000',
      '\ud800',
      'x'.repeat(5000),
      '🚪'.repeat(3000),
      'javascript:x',
      JSON.parse('{"__proto__": {"login": "x"}, "constructor": 1, "toString": null}'),
    ),
  );
}

/** Replaces the part that a number picks, walking down by its digits. */
function replaced(value: unknown, at: number, change: unknown): unknown {
  if (typeof value !== 'object' || value === null || at % 7 === 0) return change;
  const keys = Object.keys(value);
  const key = keys[at % keys.length];
  if (key === undefined) return change;
  const part = (value as Record<string, unknown>)[key];
  const next = replaced(part, Math.floor(at / 7), change);
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === key ? next : item))
    : { ...value, [key]: next };
}

function expectWithinLimits(embed: EmbedInput): void {
  expect(codePoints(embed.title ?? '')).toBeGreaterThan(0);
  expect(codePoints(embed.title ?? '')).toBeLessThanOrEqual(256);
  expect(codePoints(embed.description ?? '')).toBeLessThanOrEqual(350);
  if (embed.author) expect(codePoints(embed.author.name ?? '')).toBeGreaterThan(0);
  expect(codePoints(embed.author?.name ?? '')).toBeLessThanOrEqual(256);
  for (const url of [embed.url, embed.author?.url, embed.author?.icon_url]) {
    if (typeof url !== 'string') continue;
    expect(url).toMatch(/^https?:\/\/\S+$/i);
    expect(codePoints(url)).toBeLessThanOrEqual(2048);
  }
  const text = JSON.stringify(embed);
  expect(text.includes('\\u0000')).toBe(false);
  expect(/\\ud[89a-f]/.test(text)).toBe(false);
}
