import type { Handler } from '@gatehouse/kit/rpc';
import type { ListBucketsRequest, ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import { bucketMessage } from '../checks/messages.ts';
import type { Deps } from '../deps.ts';

export function listBuckets({ rules }: Deps): Handler<ListBucketsRequest, ListBucketsResponse> {
  return () => {
    const { listed, revision } = rules.current();
    return { buckets: listed.map(bucketMessage), revision };
  };
}
