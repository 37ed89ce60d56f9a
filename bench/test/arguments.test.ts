import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PIECES } from '../all/pieces.ts';
import { ArgumentError, HELP, OPTIONS, readArguments } from '../arguments.ts';
import { BENCHES } from '../benches.ts';

const names = Object.keys(BENCHES);
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the help text', () => {
  it('has a line for each benchmark and for each piece of `all`, and no other', () => {
    const namesOf = (paragraph = '') => paragraph.split('\n').map((line) => line.trim().split(' ')[0]);
    const paragraphs = HELP.split('\n\n');
    expect(namesOf(paragraphs[2])).toEqual(names);
    expect(namesOf(paragraphs[4])).toEqual(Object.keys(PIECES));
  });

  it('names every option that is accepted, and no other', () => {
    const options = [...HELP.matchAll(/^ {2}--(\w+)( [A-Z]+)?/gm)];
    expect(options.map(([, option]) => option).toSorted()).toEqual(Object.keys(OPTIONS).toSorted());
    const takers: Readonly<Record<string, string>> = { from: 'all', quick: 'realtime' };
    for (const [, option = '', value] of options) {
      const args = value === undefined ? [] : [option === 'from' ? '.' : '2'];
      const name = takers[option] ?? 'edge';
      expect(() => readArguments([name, `--${option}`, ...args]), option).not.toThrow();
    }
    for (const [, option] of README.matchAll(/--([a-z]+)/g)) expect(HELP).toContain(`--${option} `);
  });

  it.each(names)('%s has a folder, and a row of the README', (name) => {
    expect(existsSync(new URL(`../${name}/${name}.ts`, import.meta.url))).toBe(true);
    expect(README).toContain(`| \`${name}\` `);
  });
});

describe('the arguments', () => {
  it.each([
    [[], 'name a benchmark: all, edge, links'],
    [['edgy'], 'there is no benchmark edgy; there are all, edge, links'],
    [['edge', 'links'], 'one benchmark at a time'],
    [['edge', '--turns', '3'], "Unknown option '--turns'"],
    [['edge', '--rounds', '0'], '--rounds is a whole number from 1: 0'],
    [['edge', '--seconds', '1.5'], '--seconds is a whole number from 1: 1.5'],
    [['edge', '--minutes', 'many'], '--minutes is a number above 0: many'],
    [['edge', '--only', '('], '--only is a regular expression: ('],
  ])('%j is refused with its reason', (args, message) => {
    expect(() => readArguments(args)).toThrow(ArgumentError);
    expect(() => readArguments(args)).toThrow(message);
  });

  it('all has its own time, and only its own options', () => {
    expect(readArguments(['all'])).toMatchObject({ name: 'all', minutes: 40, from: undefined });
    expect(() => readArguments(['edge', '--from', 'x'])).toThrow('--from is an option of all alone');
    expect(() => readArguments(['all', '--json'])).toThrow('--json is no option of all');
    expect(() => readArguments(['all', '--from', 'no/such'])).toThrow('--from: there is no folder no/such');
    expect(() => readArguments(['all', '--only', 'edge'])).toThrow('--only matches none of reads, writes');
  });

  it.each([
    ['statements', '--minutes', '2'],
    ['idle', '--minutes', '2'],
    ['outages', '--rounds', '2'],
    ['auth', '--only', 'x'],
    ['edge', '--quick'],
    ['realtime', '--profile'],
    ['reads', '--quick'],
  ])('%s refuses %s, which it does not take', (name, option, ...value) => {
    expect(() => readArguments([name, option, ...value])).toThrow(`${option} is no option of ${name}`);
  });

  it('edge --profile and all --from measure everything or nothing, so they take no --only', () => {
    const edge = ['edge', '--profile', '--only', 'x'];
    expect(() => readArguments(edge)).toThrow('--only is no option of edge --profile');
    for (const [option, value] of Object.entries({ only: 'reads', rounds: '2', minutes: '2' }))
      expect(() => readArguments(['all', '--from', '.', `--${option}`, value])).toThrow(
        `--${option} is no option of all --from`,
      );
  });

  it('a benchmark has rounds and seconds of its own', () => {
    const { edge } = BENCHES;
    expect(readArguments(['edge'])).toMatchObject({ rounds: edge?.rounds, seconds: edge?.seconds });
    expect(readArguments(['edge', '--rounds', '7'])).toMatchObject({ rounds: 7 });
  });
});
