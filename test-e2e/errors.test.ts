import { bodies } from './errors/bodies.ts';
import { brokenHttp } from './errors/broken-http.ts';
import { credentials } from './errors/credentials.ts';
import { headers } from './errors/headers.ts';
import { wrongIds } from './errors/ids.ts';
import { useAnyStack } from './support/stack.ts';

const stack = useAnyStack();

wrongIds(stack);
credentials(stack);
bodies(stack);
headers(stack);
brokenHttp(stack);
