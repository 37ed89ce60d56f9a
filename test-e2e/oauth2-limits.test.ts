import { buckets } from './oauth2/buckets.ts';
import { useAnySuite } from './support/suite.ts';

const suite = useAnySuite();

buckets(suite);
