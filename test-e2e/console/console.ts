import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnStack } from '../support/stack.ts';

/** An answer of the console's API. */
export interface ConsoleReply {
  readonly status: number;
  readonly text: string;
  /** The body as JSON. The caller names the shape. */
  json<T>(): T;
}

/** A line of the operators' log. */
export interface LogLine {
  readonly id: string;
  readonly operator: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly outcome: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly detail: unknown;
}

/**
 * The console's API, called with a token; by default, with that of the operator `local`. Then the stack has
 * CONSOLE_LOCAL_OPERATOR=yes.
 */
export class ConsoleApi {
  readonly #stack: OwnStack;
  readonly #token: string | undefined;

  constructor(stack: OwnStack, token?: string) {
    this.#stack = stack;
    this.#token = token;
  }

  get(path: string): Promise<ConsoleReply> {
    return this.send('GET', path);
  }

  /** A text is sent as it is. */
  async send(method: string, path: string, body?: object | string): Promise<ConsoleReply> {
    const { running, data_dir } = this.#stack;
    const token = this.#token ?? readFileSync(join(data_dir, 'console', 'token'), 'utf8').trim();
    const response = await fetch(`${running.console_url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    });
    const text = await response.text();
    return { status: response.status, text, json: () => JSON.parse(text) };
  }

  /** The body of a 200. */
  async ok<T>(method: string, path: string, body?: object): Promise<T> {
    const reply = await this.send(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.json<T>();
  }

  /** All lines of the log, oldest first. */
  async log(): Promise<LogLine[]> {
    const { text } = await this.get('/log.jsonl');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): LogLine => JSON.parse(line));
  }
}
