import type { Branding } from '@gatehouse/kit/process/branding';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { notFound } from '../http/http-error.ts';
import { isLocalRequest, isSameOrigin } from '../http/local-request.ts';
import { queryParameters } from '../http/query-parameters.ts';
import { type AccessLogOptions, accessLog } from '../log/access-log.ts';
import { logOnClose } from '../log/log-on-close.ts';
import type { AnswerUnmatched } from '../web/web.ts';
import { MailFolder } from './mail-folder.ts';
import { readMail } from './read-mail.ts';

interface DevMailOptions extends AccessLogOptions {
  /** The folder of mails; undefined unless the suite runs in development. */
  readonly dev_mail_dir?: string | undefined;
  readonly branding?: Branding | undefined;
}

type Answer = (reply: FastifyReply, id: string, query: string) => Promise<unknown>;

const MAILS = '/dev/mail/messages';
const ID = /^\d{1,20}$/;

/**
 * The data of the page /dev/mail (docs/web.md#mailbox). The mails have links with tokens: only programs and pages of
 * this machine may read them, and nobody may keep them.
 */
export function addDevMail(
  app: FastifyInstance,
  options: DevMailOptions,
  answerUnmatched: AnswerUnmatched,
): void {
  const { dev_mail_dir, branding } = options;
  if (dev_mail_dir === undefined) return;
  const folder = new MailFolder(dev_mail_dir);
  const add = (method: HTTPMethods, path: string, answer: Answer) => {
    const writeLog = accessLog(options, path.replace(':id', '{id}'));
    app.route({
      method,
      url: path,
      // Before a body is looked at.
      onRequest: async (request, reply) => {
        if (isAllowed(request)) {
          logOnClose(writeLog, request, reply);
          await answer(withoutCors(reply), idOf(request), queryOf(request));
        } else if (!answerUnmatched(request, reply)) throw notFound();
        return reply;
      },
      handler: unreachable,
    });
  };

  add('GET', MAILS, async (reply) => reply.send(await folder.list()));
  add('GET', `${MAILS}/:id`, async (reply, id) => {
    const file = await folder.read(id);
    if (file === undefined) throw notFound();
    const { html, ...mail } = await readMail(file.bytes);
    const source = file.bytes.toString('utf8');
    return reply.send({ id, ...mail, has_html: html !== null, source, is_cut: file.is_cut });
  });
  add('GET', `${MAILS}/:id/html`, async (reply, id) => {
    const file = await folder.read(id);
    const html = file && (await readMail(file.bytes)).html;
    if (html === undefined || html === null) throw notFound();
    return reply
      .headers(documentHeaders(branding?.logo_url))
      .type('text/html; charset=utf-8')
      .send(inNewTabs(html));
  });
  add('DELETE', MAILS, async (reply, _id, query) => {
    const { up_to = '' } = queryParameters(query, ['up_to']);
    if (!ID.test(up_to)) throw notFound();
    await folder.deleteUpTo(up_to);
    return reply.code(204).send();
  });
}

function isAllowed(request: FastifyRequest): boolean {
  const id = idOf(request);
  return isLocalRequest(request.raw) && isSameOrigin(request.raw) && (id === '' || ID.test(id));
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id?: string }).id ?? '';
}

function queryOf({ url }: FastifyRequest): string {
  return url.split('?')[1] ?? '';
}

/** Every other answer allows scripts of any origin to read it. */
function withoutCors(reply: FastifyReply): FastifyReply {
  return reply
    .removeHeader('access-control-allow-origin')
    .removeHeader('access-control-expose-headers')
    .header('cross-origin-resource-policy', 'same-origin');
}

/** No scripts, no forms, and nothing is loaded but the logo. Links open in a new tab, which is a usual page again. */
function documentHeaders(logo_url: string | undefined): Readonly<Record<string, string>> {
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${logo_url === undefined ? '' : ` ${new URL(logo_url).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ];
  return { 'content-security-policy': policy.join('; '), 'referrer-policy': 'no-referrer' };
}

function inNewTabs(html: string): string {
  const base = '<base target="_blank">';
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, (head) => head + base) : base + html;
}

function unreachable(): never {
  throw new Error('the hook has answered already');
}
