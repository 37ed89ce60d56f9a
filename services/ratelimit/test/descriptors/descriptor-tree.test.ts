import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../../src/descriptors/file/read-configuration.ts';
import { type DescriptorTree, descriptorTree } from '../../src/descriptors/match/descriptor-tree.ts';
import { folderOf } from './files.ts';
import { entriesOf, matchText } from './match-text.ts';

function treeOf(descriptors: string): DescriptorTree {
  const { domains, problems } = readConfiguration([
    folderOf({ 'a.yaml': `domain: d\ndescriptors:\n${descriptors}` }),
  ]);
  expect(problems).toEqual([]);
  const [domain] = domains;
  if (domain === undefined) throw new Error('the file has no domain');
  return descriptorTree(domain);
}

const matchIn = (tree: DescriptorTree, descriptor: string): string =>
  matchText(tree.match(entriesOf(descriptor)));

const LIMIT = 'rate_limit: {unit: day, requests_per_unit: 1}';

describe('matching', () => {
  test('an equal value precedes wildcards in their order, and these a key without a value', () => {
    const tree = treeOf(`
  - {key: k, ${LIMIT}}
  - {key: k, value: "a*", ${LIMIT}}
  - {key: k, value: "ab*", ${LIMIT}}
  - {key: k, value: abc, ${LIMIT}}
`);
    expect(
      ['k=abc', 'k=abd', 'k=x', 'k=', 'other=abc'].map((descriptor) => matchIn(tree, descriptor)),
    ).toEqual(['d.k_abc', 'd.k_a* by abd', 'd.k by x', 'd.k by ', 'no limit']);
  });

  test('the last entry must end at a limit, and no branch is tried a second time', () => {
    const tree = treeOf(`
  - key: k
    value: v
    ${LIMIT}
    descriptors:
      - {key: deep, ${LIMIT}}
  - key: k
    descriptors:
      - {key: other, ${LIMIT}}
`);
    expect(matchIn(tree, 'k=v')).toBe('d.k_v');
    expect(matchIn(tree, 'k=v,deep=1')).toBe('d.k_v.deep by 1');
    expect(matchIn(tree, 'k=v,deep=1,more=2')).toBe('no limit');
    expect(matchIn(tree, 'k=w')).toBe('no limit');
    expect(matchIn(tree, 'k=w,other=1')).toBe('d.k.other by w, 1');
    expect(matchIn(tree, 'k=v,other=1')).toBe('no limit');
  });

  test.each([
    ['a*', ['a', 'abc'], ['', 'ba']],
    ['*a', ['a', 'bba'], ['', 'ab']],
    ['a*b', ['ab', 'axxb'], ['a', 'b', 'aba']],
    ['aa*aa', ['aaaa', 'aaxaa'], ['aa', 'aaa']],
    ['/api/*/r/*/act', ['/api/1/r/2/act', '/api//r//act'], ['/api/1/r/act', '/api/1/act']],
    ['a*b*b', ['abb', 'axbxb'], ['ab', 'axb']],
    ['*', ['', 'x'], []],
  ])('%s', (wildcard, matching, others) => {
    const tree = treeOf(`  - {key: k, value: "${wildcard}", ${LIMIT}}`);
    for (const value of matching) expect(tree.match([{ key: 'k', value }]), value).toBeDefined();
    for (const value of others) expect(tree.match([{ key: 'k', value }]), value).toBeUndefined();
  });
});

describe('names in metrics', () => {
  test('have values of a request only where the limit asks for them, and never those of a shared threshold', () => {
    const tree = treeOf(`
  - {key: plain, ${LIMIT}}
  - {key: detailed, detailed_metric: true, ${LIMIT}}
  - key: route
    value_to_metric: true
    descriptors: [{key: user, ${LIMIT}}]
  - key: shared
    value: "api/*"
    share_threshold: true
    value_to_metric: true
    descriptors: [{key: user, detailed_metric: true, ${LIMIT}}]
`);
    expect(matchIn(tree, 'plain=1')).toBe('d.plain by 1');
    expect(matchIn(tree, 'detailed=1')).toBe('d.detailed by 1 as d.detailed_1');
    expect(matchIn(tree, 'route=a b,user=1')).toBe('d.route.user by a b, 1 as d.route_a%20b.user');
    expect(matchIn(tree, 'shared=api/v1,user=1')).toBe('d.shared_api/*.user by 1 as d.shared_api/*.user_1');
  });
});
