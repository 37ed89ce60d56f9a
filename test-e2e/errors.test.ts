import { bodies } from './errors/bodies.ts';
import { brokenHttp } from './errors/broken-http.ts';
import { credentials } from './errors/credentials.ts';
import { headers } from './errors/headers.ts';
import { wrongIds } from './errors/ids.ts';
import { useAnySuite } from './support/suite.ts';

const suite = useAnySuite();

wrongIds(suite);
credentials(suite);
bodies(suite);
headers(suite);
brokenHttp(suite);
