import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packPackages } from '../pack/pack-packages.ts';

it('does not empty a folder that has anything but packages', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['sdk', 'notes.txt']) writeFileSync(join(folder, name), '');
  await expect(packPackages(folder)).rejects.toThrow('notes.txt, which is no package');
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'sdk']);
});
