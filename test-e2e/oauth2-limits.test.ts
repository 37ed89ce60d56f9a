import { buckets } from './oauth2/buckets.ts';
import { useSuite } from './support/suite.ts';

const suite = useSuite();

buckets(suite);
