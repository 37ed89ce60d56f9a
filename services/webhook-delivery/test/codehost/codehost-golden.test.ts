import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/codehost/events.ts';
import { renderCodehost } from '../../src/codehost/render.ts';
import type { Rendering } from '../../src/execution/rendering.ts';
import { exampleDeliveries } from './codehost-corpus.ts';
import {
  check_suite,
  comment,
  commit,
  forced,
  issue,
  push,
  renderingOf,
  repository,
  SHA,
} from './codehost-fixtures.ts';

/**
 * The rendering of each event, for readers: `golden/codehost/EVENT.json`. After a change of the renderers, run this
 * file with `-u` and compare the difference with docs/webhooks.md#code-host-events. CI compares, and writes nothing.
 */
const GOLDEN = fileURLToPath(new URL('../golden/codehost', import.meta.url));

interface Entry {
  /** The payloads: numbers of the examples of the event, starting at 1, or a description. */
  readonly payload: string;
  readonly action?: unknown;
  readonly rendering: Rendering<EmbedInput>;
}

/** Payloads that are missing among the examples. */
const OWN: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  create: { 'a branch': { ref_type: 'branch', ref: 'side' }, 'a repository': { ref_type: 'repository' } },
  delete: { 'a branch': { ref_type: 'branch', ref: 'side' } },
  issues: { closed: { action: 'closed', issue } },
  issue_comment: {
    'on a pull request': { action: 'created', comment, issue: { ...issue, pull_request: {} } },
  },
  check_suite: {
    'timed out': { action: 'completed', check_suite: { ...check_suite, conclusion: 'timed_out' } },
    skipped: { action: 'completed', check_suite: { ...check_suite, conclusion: 'skipped' } },
    'without a branch': { action: 'completed', check_suite: { ...check_suite, head_branch: null } },
  },
  push: {
    'two commits, the second a revert': {
      ...push,
      commits: [commit, { ...commit, message: `Revert "Oil hinges"\n\nThis reverts commit ${SHA}.` }],
    },
    'a tag, without sender': { ...push, ref: 'refs/tags/v1', sender: undefined },
    'more than a description holds': { ...push, commits: Array.from({ length: 12 }, () => commit) },
    forced: { ...forced, commits: [] },
    'a tag, forced': { ...forced, ref: 'refs/tags/v1' },
    'a deleted branch': { ...push, deleted: true, head_commit: null, commits: [] },
  },
  repository: { 'a name that is cut': { action: 'created', repository: longNamed() } },
};

describe('the golden files have the renderings', () => {
  it.each([...EVENTS.keys()])('%s', async (event) => {
    const entries = [...distinct(examplesOf(event)), ...ownOf(event)];
    expect(entries.some(({ rendering }) => 'message' in rendering)).toBe(true);
    await expect(`${JSON.stringify(entries, null, 2)}\n`).toMatchFileSnapshot(`${GOLDEN}/${event}.json`);
  });

  it('of every event in the table, and of no other', () => {
    expect(readdirSync(GOLDEN).sort()).toEqual([...EVENTS.keys()].map((event) => `${event}.json`).sort());
  });
});

function examplesOf(event: string): Entry[] {
  return exampleDeliveries()
    .filter((delivery) => delivery.event === event)
    .map(({ payload }, index) => ({
      payload: `example ${index + 1}`,
      action: payload.action,
      rendering: renderCodehost(event, payload),
    }));
}

/** Many examples differ only in members that are not shown. */
function distinct(entries: readonly Entry[]): Entry[] {
  const byContent = new Map<string, Entry>();
  for (const { payload, ...rest } of entries) {
    const key = JSON.stringify(rest);
    const before = byContent.get(key);
    byContent.set(key, {
      payload: before === undefined ? payload : `${before.payload}, ${payload}`,
      ...rest,
    });
  }
  return [...byContent.values()];
}

function ownOf(event: string): Entry[] {
  return Object.entries(OWN[event] ?? {}).map(([payload, own]) => ({
    payload,
    rendering: renderingOf(event, own),
  }));
}

function longNamed() {
  return { ...repository, full_name: `octo/${'hall-'.repeat(20)}` };
}
