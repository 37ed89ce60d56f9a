import { useAnyStack } from '../support/stack.ts';
import { buckets } from './buckets.ts';

const stack = useAnyStack();

buckets(stack);
