import { describe, expect, it } from 'vitest';
import { opening, resourceStack } from '../../src/lifecycle.ts';
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
    'closes its resources in reverse, one by one, on %s and ends with 0',
    async (signal) => {
      const child = await listening('well');
      child.process.kill(signal);
      expect(await child.exit).toBe(0);
      expect(linesOf(child)).toEqual(REVERSE);
      expect(child.errors()).toContain(`it: ${signal}, closing`);
    },
  );

  it('ends with 78 when its settings cannot be used, and lists all that is wrong with them', async () => {
    const child = run('run-main.ts', [], { HOW: 'config', BAD_PORT: 'x' });
    expect(await child.exit).toBe(78);
    expect(child.errors()).toContain(
      '- NOT_THERE is required\n  - BAD_PORT must be a port from 0 to 65535\n',
    );
    expect(child.errors()).not.toContain(' at '); // no stack: nothing is wrong with the code
  });

  it('told to migrate does that alone, and ends', async () => {
    const child = run('run-main.ts', ['migrate']);
    expect(await child.exit).toBe(0);
    expect(child.output()).toBe('migrated\n');
    const failing = run('run-main.ts', ['migrate'], { HOW: 'start' });
    expect(await failing.exit).toBe(1);
    expect(failing.errors()).toContain('the database is away');
  });

  it('refuses any other argument, and names what it takes', async () => {
    for (const args of [['mirgate'], ['migrate', 'now']]) {
      const child = run('run-main.ts', args);
      expect(await child.exit).toBe(2);
      expect(child.errors()).toBe(
        'it: takes no arguments, or migrate: to bring the database up to date and end\n',
      );
    }
  });

  it('ends with 1 when it cannot start, after closing what it had opened', async () => {
    const child = run('run-main.ts', [], { HOW: 'start' });
    expect(await child.exit).toBe(1);
    expect(child.errors()).toContain('the third cannot be opened');
    expect(linesOf(child)).toEqual(REVERSE.slice(2));
  });

  it('ends with 1 when a part cannot be closed, after closing the others', async () => {
    const child = await listening('close');
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(1);
    expect(linesOf(child)).toEqual(REVERSE.filter((line) => line !== 'second closed'));
  });

  it('ends within 10 seconds when a part does not close', async () => {
    const child = await listening('never');
    const startedAt = Date.now();
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(1);
    expect(Date.now() - startedAt).toBeGreaterThan(9_000);
    expect(Date.now() - startedAt).toBeLessThan(12_000);
    expect(child.errors()).toContain('still open after 10000 ms');
  });

  it('closes as it would when SIGTERM comes again', async () => {
    const child = await listening('slowly');
    child.process.kill('SIGTERM');
    await expect.poll(child.output).toContain('third closes');
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(0);
    expect(linesOf(child)).toEqual(REVERSE);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'told to end by %s ends at once on a SIGINT after that',
    async (first) => {
      const child = await listening('never');
      child.process.kill(first);
      await expect.poll(child.errors).toContain('closing');
      child.process.kill('SIGINT');
      expect(await child.exit).toBe(1);
      expect(child.errors()).not.toContain('still open');
    },
  );
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

  it('close all, whatever fails, and then say what failed', async () => {
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

describe('opening', () => {
  it('gives what was opened, and leaves it open', async () => {
    let closed = false;
    const opened = await opening(silentLogger, async (resources) => {
      resources.add('resource', () => {
        closed = true;
      });
      return { resources };
    });
    expect(closed).toBe(false);
    await opened.resources.close();
    expect(closed).toBe(true);
  });

  it('throws the error of the part that failed, also when another cannot be closed', async () => {
    const failed = opening(silentLogger, async (resources) => {
      resources.add('resource', () => Promise.reject(new Error('cannot be closed')));
      throw new Error('cannot be opened');
    });
    await expect(failed).rejects.toThrow('cannot be opened');
  });
});
