import { describe, expect, it } from 'vitest';
import { openResources, resourceStack } from '../../src/lifecycle.ts';
import { silentLogger } from '../../src/log.ts';
import { type Child, run } from '../support/child.ts';

const REVERSE = ['third', 'second', 'first'].flatMap((name) => [`${name} closes`, `${name} closed`]);
const linesOf = (child: Child): string[] => child.output().trim().split('\n');

async function listening(how: string): Promise<Child> {
  const child = run('run-main.ts', [], { HOW: how });
  await expect.poll(child.errors).toContain('it: listening on 127.0.0.1:1\n');
  return child;
}

describe('a process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'closes its resources in reverse, one by one, on %s, and exits with 0',
    async (signal) => {
      const child = await listening('well');
      child.process.kill(signal);
      expect(await child.exit).toBe(0);
      expect(linesOf(child)).toEqual(REVERSE);
      expect(child.errors()).toContain(`it: ${signal}, closing`);
    },
  );

  it('exits with 78 for invalid settings, and lists all problems', async () => {
    const child = run('run-main.ts', [], { HOW: 'config', BAD_PORT: 'x' });
    expect(await child.exit).toBe(78);
    expect(child.errors()).toContain(
      '- NOT_THERE is required\n  - BAD_PORT must be a port from 0 to 65535\n',
    );
    expect(child.errors()).not.toContain(' at '); // no stack trace: it is not a bug
  });

  it('with the argument migrate, migrates and exits', async () => {
    const child = run('run-main.ts', ['migrate']);
    expect(await child.exit).toBe(0);
    expect(child.output()).toBe('migrated\n');
    const failing = run('run-main.ts', ['migrate'], { HOW: 'start' });
    expect(await failing.exit).toBe(1);
    expect(failing.errors()).toContain('the database is away');
  });

  it('refuses any other argument, and lists the valid ones', async () => {
    for (const args of [['mirgate'], ['migrate', 'now']]) {
      const child = run('run-main.ts', args);
      expect(await child.exit).toBe(2);
      expect(child.errors()).toBe(
        'it: takes no arguments, or migrate: to bring the database up to date and end\n',
      );
    }
  });

  it('exits with 1 when it cannot start, after closing the opened resources', async () => {
    const child = run('run-main.ts', [], { HOW: 'start' });
    expect(await child.exit).toBe(1);
    expect(child.errors()).toContain('the third cannot be opened');
    expect(linesOf(child)).toEqual(REVERSE.slice(2));
  });

  it('exits with 1 when a resource fails to close, after closing the others', async () => {
    const child = await listening('close');
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(1);
    expect(linesOf(child)).toEqual(REVERSE.filter((line) => line !== 'second closed'));
  });

  it('exits within 10 seconds when a resource does not close', async () => {
    const child = await listening('never');
    const startedAt = Date.now();
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(1);
    expect(Date.now() - startedAt).toBeGreaterThan(9_000);
    expect(Date.now() - startedAt).toBeLessThan(20_000); // not the minute that the resource takes
    expect(child.errors()).toContain('still open after 10000 ms');
  });

  it('closes normally when SIGTERM comes again', async () => {
    const child = await listening('slowly');
    child.process.kill('SIGTERM');
    await expect.poll(child.output).toContain('third closes');
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(0);
    expect(linesOf(child)).toEqual(REVERSE);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('after %s, exits at once on a SIGINT', async (first) => {
    const child = await listening('never');
    child.process.kill(first);
    await expect.poll(child.errors).toContain('closing');
    child.process.kill('SIGINT');
    expect(await child.exit).toBe(1);
    expect(child.errors()).not.toContain('still open');
  });
});

describe('resourceStack', () => {
  it('close once, in reverse, and wait for each', async () => {
    const order: string[] = [];
    const resources = resourceStack();
    resources.add('sync', () => order.push('sync'));
    resources.add('async', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('async');
    });
    await Promise.all([resources.close(), resources.close()]);
    await resources.close();
    expect(order).toEqual(['async', 'sync']);
  });

  it('close all, even if some fail, and then report the failures', async () => {
    const order: number[] = [];
    const resources = resourceStack(silentLogger);
    resources.add('1', () => order.push(1));
    resources.add('2', () => {
      throw new Error('2');
    });
    resources.add('3', () => Promise.reject(new Error('3')));
    resources.add('4', () => order.push(4));
    await expect(resources.close()).rejects.toMatchObject({ errors: [{ message: '3' }, { message: '2' }] });
    expect(order).toEqual([4, 1]);
  });
});

describe('openResources', () => {
  it('returns the result, and leaves the resources open', async () => {
    let closed = false;
    const opened = await openResources(silentLogger, async (resources) => {
      resources.add('resource', () => {
        closed = true;
      });
      return { resources };
    });
    expect(closed).toBe(false);
    await opened.resources.close();
    expect(closed).toBe(true);
  });

  it('throws the error of the failed resource, even if another fails to close', async () => {
    const failed = openResources(silentLogger, async (resources) => {
      resources.add('resource', () => Promise.reject(new Error('cannot be closed')));
      throw new Error('cannot be opened');
    });
    await expect(failed).rejects.toThrow('cannot be opened');
  });
});
