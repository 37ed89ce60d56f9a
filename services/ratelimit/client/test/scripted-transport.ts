import type { CheckResponse, ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import { RateLimitError, type StatusName } from '../src/grpc/rate-limit-error.ts';
import type { Transport } from '../src/transport.ts';

/** The answers of a test's ratelimit. */
export interface Script {
  check?(): Promise<CheckResponse>;
  refund?(): Promise<Record<string, never>>;
  listBuckets?(): Promise<ListBucketsResponse>;
  peek?: Transport<undefined>['peek'];
}

/** A transport without a connection. Calls without an answer in the script are failures of the test. */
export class ScriptedTransport implements Transport<undefined> {
  /** The RPCs that were called, in order, without ListBuckets. */
  readonly calls: string[] = [];
  script: Script = {};

  readonly check = () => this.#answer('check');
  readonly refund = () => this.#answer('refund');
  readonly peek: Transport<undefined>['peek'] = (...call) => {
    this.calls.push('peek');
    return this.script.peek?.(...call) ?? this.#unexpected('peek');
  };
  readonly takeSlowmode = () => this.#unexpected('takeSlowmode');
  readonly peekSlowmode = () => this.#unexpected('peekSlowmode');
  readonly takeProfileChanges = () => this.#unexpected('takeProfileChanges');
  readonly healthy = () => this.#unexpected('healthy');

  listBuckets(): Promise<ListBucketsResponse> {
    return this.script.listBuckets?.() ?? failing('UNAVAILABLE');
  }

  isOutage(error: unknown): boolean {
    return (
      error instanceof RateLimitError &&
      (error.status === 'UNAVAILABLE' || error.status === 'DEADLINE_EXCEEDED')
    );
  }

  isOutOfTime(): boolean {
    return false;
  }

  unavailable(): Error {
    return new RateLimitError('UNAVAILABLE', 'ratelimit does not answer');
  }

  close(): void {
    // There is no connection.
  }

  #answer<Rpc extends 'check' | 'refund'>(rpc: Rpc): ReturnType<NonNullable<Script[Rpc]>> {
    this.calls.push(rpc);
    const answer = this.script[rpc]?.() ?? this.#unexpected(rpc);
    return answer as ReturnType<NonNullable<Script[Rpc]>>; // the script's answer for this RPC
  }

  #unexpected(rpc: string): Promise<never> {
    return Promise.reject(new Error(`no call of ${rpc} was expected`));
  }
}

export function failing(status: StatusName): Promise<never> {
  return Promise.reject(new RateLimitError(status, 'as the script says'));
}
