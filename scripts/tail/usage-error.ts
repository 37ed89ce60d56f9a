import { printable } from '@gatehouse/cli/output/printable';

/** The command line is wrong. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${printable(message)}\nnpm run tail -- --help says more.`);
    this.name = 'UsageError';
  }
}
