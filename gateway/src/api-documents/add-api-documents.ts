import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type PipelineOptions, rowlessPipeline } from '../pipeline.ts';
import { ApiDocument } from './api-document.ts';

const DOCUMENTS = ['openapi.json', 'asyncapi.json'];
const FOLDER = new URL('../../', import.meta.url);

/**
 * The descriptions of the API below `prefix`, for anyone: OpenAPI of the routes, AsyncAPI of the real-time Gateway. They
 * are files, which no service answers, so they are no rows of the route table.
 */
export function addApiDocuments(app: FastifyInstance, prefix: string, options: PipelineOptions): void {
  for (const name of DOCUMENTS) {
    const document = new ApiDocument(readFileSync(new URL(name, FOLDER)));
    const path = `/${name}`;
    app.route({
      method: ['GET', 'HEAD'],
      url: prefix + path,
      exposeHeadRoute: false,
      handler: rowlessPipeline(({ request }) => document.answer(request.headers), options, path),
    });
  }
}
