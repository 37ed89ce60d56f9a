import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { withBlock } from './block.ts';

/** deploy/Dockerfile with the names of all processes, for which the operators' image has folders. */
export function withProcessNames(dockerfile: string): string {
  return withBlock(dockerfile, 'services', `ARG PROCESSES="${SERVICE_NAMES.join(' ')}"\n`);
}
