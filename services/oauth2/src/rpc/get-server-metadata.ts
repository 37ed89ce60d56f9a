import type { Handler } from '@gatehouse/kit/rpc';
import type { GetServerMetadataRequest, GetServerMetadataResponse } from '@gatehouse/proto/oauth2';
import { serverMetadata } from '../authorization/server-metadata.ts';
import type { Deps } from '../deps.ts';

export function getServerMetadata({
  issuer,
  hardening,
}: Deps): Handler<GetServerMetadataRequest, GetServerMetadataResponse> {
  const metadata = serverMetadata(issuer, hardening);
  return () => metadata;
}
