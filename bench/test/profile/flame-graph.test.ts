import { describe, expect, it } from 'vitest';
import { flameGraph } from '../../profile/flame-graph.ts';

const OUTER = { name: 'handle<T>', url: 'file:///app/gateway/src/pipeline.ts', line: 12 };
const INNER = { name: '', url: '', line: 0 };

describe('a flame graph', () => {
  const svg = flameGraph('edge & services', [
    { frames: [OUTER], us: 75 },
    { frames: [OUTER, INNER], us: 25 },
    { frames: [{ name: 'tiny', url: '', line: 0 }], us: 0.001 },
  ]);

  it('is an SVG document without scripts or references', () => {
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>/);
    expect(svg.trimEnd()).toMatch(/<\/svg>$/);
    expect(svg).not.toMatch(/<script|href/);
  });

  it('gives each function a box as wide as its share, with a title', () => {
    expect(boxes(svg)).toEqual([
      { title: 'all\n100.00 %', x: 0, y: 0, width: 1600 },
      { title: 'handle&#60;T&#62;\n/app/gateway/src/pipeline.ts:12\n100.00 %', x: 0, y: 17, width: 1600 },
      { title: '(anonymous)\n25.00 %', x: 0, y: 34, width: 400 },
    ]);
  });

  it('escapes text', () => {
    expect(svg).toContain('>edge &#38; services</text>');
    expect(svg).not.toContain('handle<T>');
  });
});

function boxes(svg: string) {
  const pattern = /<title>([^<]*)<\/title><rect x="([\d.]+)" y="(\d+)" width="([\d.]+)"/g;
  return [...svg.matchAll(pattern)].map(([, title, x, y, width]) => ({
    title,
    x: Number(x),
    y: Number(y),
    width: Number(width),
  }));
}
