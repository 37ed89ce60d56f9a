import { type CheckRequest, CheckResponse, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { Client, credentials, type StatusObject, status } from '@grpc/grpc-js';
import { type ChargeTuple, request } from '../support.ts';

const { checkStream } = RatelimitServiceDefinition.methods;
const PATH = `/${RatelimitServiceDefinition.fullName}/${checkStream.name}`;

/** A CheckStream by grpc-js and the generated messages, without the kit. */
export class CheckStream {
  readonly #client: Client;
  readonly #stream;
  /** In the order of their arrival. */
  readonly responses: CheckResponse[] = [];
  readonly ended: Promise<StatusObject>;
  #arrived = Promise.withResolvers<void>();

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure());
    this.#stream = this.#client.makeBidiStreamRequest(
      PATH,
      (message: CheckRequest) => Buffer.from(checkStream.requestType.encode(message).finish()),
      (bytes: Buffer) => CheckResponse.decode(bytes),
    );
    this.#stream.on('data', (response: CheckResponse) => {
      this.responses.push(response);
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    });
    this.#stream.on('error', () => undefined); // `ended` has it
    this.ended = new Promise((resolve) => {
      this.#stream.on('status', (ending) => {
        resolve(ending);
        this.#arrived.resolve();
        this.#client.close();
      });
    });
  }

  send(message: CheckRequest): void {
    this.#stream.write(message);
  }

  /** Sends a check of one set. */
  check(tag: number, set: readonly ChargeTuple[], more: Partial<CheckRequest> = {}): void {
    this.send({ ...request(set), tag, ...more });
  }

  /** Cancels the open check of this tag. */
  withdraw(tag: number): void {
    this.send({ sets: [], tag, cancel: true });
  }

  /** Waits for so many responses. */
  async received(count: number): Promise<readonly CheckResponse[]> {
    while (this.responses.length < count) {
      const before = this.responses.length;
      await Promise.race([this.#arrived.promise, this.ended]);
      if (this.responses.length === before && (await Promise.race([this.ended, undefined])) !== undefined)
        throw new Error(`the stream ended after ${before} of ${count} responses`);
    }
    return this.responses;
  }

  /** Ends the requests, and waits for the end of the stream. */
  async end(): Promise<StatusObject> {
    this.#stream.end();
    return this.ended;
  }

  /** Cuts the stream. */
  async cut(): Promise<void> {
    this.#stream.cancel();
    await this.ended;
  }
}

export const OK = status.OK;

/** The reason of a response's error. */
export function reasonOf({ error }: CheckResponse): string {
  return Buffer.concat((error?.details ?? []).map(({ value }) => Buffer.from(value))).toString('latin1');
}
