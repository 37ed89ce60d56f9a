import { type IncomingMessage, ServerResponse } from 'node:http';

/** The approximate length of an answer's head. */
const HEAD_BYTES = 512;

/** A response that counts the written bytes of every writer: the pipeline, Fastify, and piped streams. */
export function countedResponse(onWritten: (bytes: number) => void): typeof ServerResponse<IncomingMessage> {
  return class CountedResponse extends ServerResponse<IncomingMessage> {
    override write(chunk: unknown, ...rest: unknown[]): boolean {
      const takesMore = super.write(chunk, ...(rest as []));
      onWritten(lengthOf(chunk));
      return takesMore;
    }

    override end(...rest: unknown[]): this {
      super.end(...(rest as []));
      onWritten(HEAD_BYTES + lengthOf(rest[0]));
      return this;
    }
  };
}

function lengthOf(chunk: unknown): number {
  return typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.length : 0;
}
