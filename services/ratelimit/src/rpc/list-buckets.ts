import type { Handler } from '@gatehouse/kit/rpc';
import type { ListBucketsRequest, ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import { bucketMessage } from '../checks/messages.ts';
import type { Deps } from '../deps.ts';

export function listBuckets({ rules, overrides }: Deps): Handler<ListBucketsRequest, ListBucketsResponse> {
  return ({ known_revision }) => {
    const { listed, revision } = rules.current();
    const buckets = known_revision === revision ? [] : listed.map(bucketMessage);
    return { buckets, revision, denials_version: overrides.denialsVersion() };
  };
}
