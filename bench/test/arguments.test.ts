import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ArgumentError, HELP, readArguments } from '../arguments.ts';
import { BENCHES } from '../benches.ts';

const names = Object.keys(BENCHES);
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the help text', () => {
  it('has a line for each benchmark, and no other', () => {
    const lines = HELP.split('\n\n')[2]?.split('\n') ?? [];
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(names);
  });

  it('names every option that is accepted, and no other', () => {
    const options = [...HELP.matchAll(/^ {2}--(\w+)( [A-Z]+)?/gm)];
    expect(options.length).toBeGreaterThan(6);
    for (const [, option, value] of options) {
      const args = value === undefined ? [`--${option}`] : [`--${option}`, '2'];
      expect(() => readArguments(['edge', ...args]), option).not.toThrow();
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
    [[], 'name a benchmark: edge, links'],
    [['edgy'], 'there is no benchmark edgy; there are edge, links'],
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

  it('a benchmark has rounds and seconds of its own', () => {
    const { outages } = BENCHES;
    expect(readArguments(['outages'])).toMatchObject({ rounds: outages?.rounds, seconds: outages?.seconds });
    expect(readArguments(['outages', '--rounds', '7'])).toMatchObject({ rounds: 7 });
  });
});
