import { buckets } from './oauth2/buckets.ts';
import { useAnyStack } from './support/stack.ts';

const stack = useAnyStack();

buckets(stack);
