/** Room for the long bodies that a process holds at once. */
export interface BodyRoom {
  /** Takes room for so many bytes more of a request's body; false when there is none. */
  take(request: object, client: string, bytes: number): boolean;
  /** Gives back all that a request has taken. */
  leave(request: object): void;
}

/** `max_bytes` for all clients together, and for each of them a part of it. */
export function bodyRoom({
  max_bytes,
  max_bytes_a_client,
}: {
  readonly max_bytes: number;
  readonly max_bytes_a_client: number;
}): BodyRoom {
  const requests = new Map<object, { readonly client: string; bytes: number }>();
  const clients = new Map<string, number>();
  let total = 0;

  return {
    take: (request, client, bytes) => {
      const ofClient = (clients.get(client) ?? 0) + bytes;
      if (total + bytes > max_bytes || ofClient > max_bytes_a_client) return false;
      const taken = requests.get(request) ?? { client, bytes: 0 };
      taken.bytes += bytes;
      requests.set(request, taken);
      clients.set(client, ofClient);
      total += bytes;
      return true;
    },
    leave: (request) => {
      const taken = requests.get(request);
      if (taken === undefined) return;
      requests.delete(request);
      total -= taken.bytes;
      const left = (clients.get(taken.client) ?? 0) - taken.bytes;
      if (left > 0) clients.set(taken.client, left);
      else clients.delete(taken.client);
    },
  };
}
