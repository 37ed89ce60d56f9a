import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
/** Gzipped scripts, with every part that the page can load. */
const MAX_BYTES = 100 * 1024;

const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).map((name) => join(DIST, name));

describe('the console’s page', () => {
  it('loads less script than the bound', () => {
    const bytes = files.filter((file) => file.endsWith('.js.gz')).map((file) => statSync(file).size);
    expect(bytes.reduce((all, one) => all + one, 0)).toBeLessThan(MAX_BYTES);
  });

  it('has no inline script or style, which its policy refuses, and nothing of other hosts', () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon[a-z]+=/);
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});
