/**
 * The bare floor: the three benched routes on Fastify alone, with the same validation and reply schemas as Tandem but
 * no database, hook, credential check or log. What Tandem adds is reported as a ratio to this process, run on the same
 * machine in the same minutes. Run as a program, it prints `{"port":…,"pid":…}` as one line and leaves on SIGTERM.
 */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'

const e164 = { type: 'string', pattern: '^\\+[1-9][0-9]{6,14}$' }
const dateTime = { type: 'string', format: 'date-time' }

const smsBody = {
  type: 'object',
  additionalProperties: false,
  required: ['from', 'to', 'body'],
  properties: { from: e164, to: e164, body: { type: 'string', minLength: 1, maxLength: 1600 } },
}

const smsReply = {
  type: 'object',
  required: ['messageId', 'status', 'deliveredAt'],
  properties: {
    messageId: { type: 'string' },
    status: { type: 'string' },
    deliveredAt: { ...dateTime, nullable: true },
  },
}

const leadBody = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  anyOf: [{ required: ['email'] }, { required: ['phone'] }],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    email: { type: 'string', format: 'email', maxLength: 254 },
    phone: e164,
    company: { type: 'string', maxLength: 200 },
    priority: { type: 'string', enum: ['Hot', 'Warm', 'Cold'] },
  },
}

const leadReply = {
  type: 'object',
  required: ['success', 'lead'],
  properties: {
    success: { type: 'boolean' },
    lead: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        tenant_id: { type: 'integer' },
        name: { type: 'string' },
        email: { type: 'string' },
        phone: { type: 'string' },
        company: { type: 'string' },
        priority: { type: 'string' },
        status: { type: 'string' },
        created_at: dateTime,
      },
    },
  },
}

const invoicesQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status: { type: 'string', enum: ['Draft', 'Sent', 'Paid', 'Overdue', 'Cancelled'] },
    page: { type: 'integer', minimum: 1, default: 1 },
    limit: { type: 'integer', minimum: 1, default: 20 },
  },
}

const invoicesReply = {
  type: 'object',
  required: ['success', 'invoices', 'pagination'],
  properties: {
    success: { type: 'boolean' },
    invoices: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          number: { type: 'string' },
          tenant_id: { type: 'integer' },
          amount: { type: 'number' },
          status: { type: 'string' },
          due_date: { type: 'string' },
        },
      },
    },
    pagination: {
      type: 'object',
      properties: { page: { type: 'integer' }, limit: { type: 'integer' }, totalCount: { type: 'integer' } },
    },
  },
}

const constantInvoices = Array.from({ length: 20 }, (_, i) => ({
  id: 1000 + i,
  number: `INV-2026-${String(1000 + i).padStart(6, '0')}`,
  tenant_id: 1,
  amount: 1250.5 + i,
  status: 'Paid',
  due_date: '2026-09-30',
}))

type LeadFields = { name: string; email?: string; phone?: string; company?: string; priority?: string }
type InvoicesQuery = { status?: string; page: number; limit: number }

/** Bodies are taken strictly (no coercion, no silent removal, all faults at once); only query strings are coerced. */
function validateLikeTandem(app: FastifyInstance): void {
  const strict = new Ajv({ coerceTypes: false, removeAdditional: false, useDefaults: true, allErrors: true })
  const coercing = new Ajv({ coerceTypes: true, removeAdditional: false, useDefaults: true, allErrors: true })
  for (const ajv of [strict, coercing]) addFormats.default(ajv)
  app.setValidatorCompiler<object>(({ schema, httpPart }) =>
    (httpPart === 'querystring' ? coercing : strict).compile(schema),
  )
}

/** The floor's routes, not yet listening. `now` is read once per reply that carries a time. */
export function buildFloor(now: () => Date = () => new Date()): FastifyInstance {
  const app = Fastify({ logger: false })
  validateLikeTandem(app)
  let messages = 0
  let leads = 0
  app.post('/v2/messages/sms', { schema: { body: smsBody, response: { 200: smsReply } } }, async () => {
    messages += 1
    return { messageId: `msg_${messages.toString(36).padStart(24, '0')}`, status: 'queued', deliveredAt: null }
  })
  app.post<{ Body: LeadFields }>(
    '/v1/api/leads',
    { schema: { body: leadBody, response: { 200: leadReply } } },
    async request => {
      leads += 1
      const fields = { id: leads, tenant_id: 1, priority: 'Warm', status: 'New', created_at: now().toISOString() }
      return { success: true, lead: { ...fields, ...request.body } }
    },
  )
  app.get<{ Querystring: InvoicesQuery }>(
    '/v1/api/finance/invoices',
    { schema: { querystring: invoicesQuery, response: { 200: invoicesReply } } },
    async request => {
      const { page, limit } = request.query
      return { success: true, invoices: constantInvoices, pagination: { page, limit, totalCount: 1_000_000 } }
    },
  )
  return app
}

if (import.meta.main) {
  const app = buildFloor()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`${JSON.stringify({ port, pid: process.pid })}\n`)
  process.once('SIGTERM', () => {
    app.server.closeAllConnections()
    app.close().then(() => process.exit(0))
  })
}
