import { chmod, chown, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertOurs } from '../src/postgres/embedded-postgres/shared-folder.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'shared-'));
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

test('accepts a folder that only this user can write to', async () => {
  await assertOurs(dir);
});

test.each([0o777, 0o775])('refuses a folder that others can write to (%o)', async (mode) => {
  await chmod(dir, mode);
  await expect(assertOurs(dir)).rejects.toThrow('it is not used');
});

test('refuses a symlink, whatever it points to', async () => {
  await mkdir(join(dir, 'real'));
  await symlink(join(dir, 'real'), join(dir, 'link'));
  await expect(assertOurs(join(dir, 'link'))).rejects.toThrow('it is not used');
});

test.runIf(process.getuid?.() === 0)("refuses somebody else's folder", async () => {
  await chown(dir, 12345, 12345);
  await expect(assertOurs(dir)).rejects.toThrow('it is not used');
});
