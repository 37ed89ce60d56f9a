import { useAnyStack } from '../support/stack.ts';
import { oauth2Buckets } from './oauth2-buckets.ts';

const stack = useAnyStack();

oauth2Buckets(stack);
