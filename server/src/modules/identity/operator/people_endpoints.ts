// Who runs the installation: their tokens, who they are, and what they did.
import { type Static, Type } from 'typebox'
import { operatorLevels } from '../../../kernel/access/operator.ts'
import { operatorTokenSeconds } from '../../../kernel/access/tokens.ts'
import { recordAudit } from '../../../kernel/audit/record.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { Email, IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { changeOperator } from './acts.ts'
import { actingOf, own } from './shared.ts'
import { findStanding, listEvents, listOperators, type OperatorRow } from './store.ts'

const Level = OneOf(operatorLevels, { description: '`support` looks, `full` also acts.' })

export const createOperatorToken = endpoint({
  id: 'operator_tokens.create',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/operator/tokens',
  name: 'Create an operator token',
  description:
    'A token of fifteen minutes for the endpoints of those who run the installation, for an account that does, with a second factor that was ' +
    'shown within the last fifteen minutes. It names no organization, and no other endpoint takes it; it ends with the session that made it.',
  permission: 'profile:read',
  whileSuspended: true,
  recent: 'factor',
  idempotent: false,
  transaction: 'none',
  audit: 'operator_token.created',
  reply: Type.Object({ token: Type.String(), level: Level, expiresAt: Timestamp }),
  envelope: 'data',
  problems: ['not_operator'],
  sample: { reply: { token: 'EXAMPLE', level: 'full', expiresAt: '2026-11-21T08:59:00.000Z' } },
  async handle({ principal, now, asked, services }) {
    const { accountId } = principal.person!
    const standing = await findStanding(services.db, accountId)
    if (standing?.level == null || !standing.has_factor) throw new Problem('not_operator')
    const entry = { action: 'operator_token.created', targets: [{ type: 'user', id: principal.userId }] } as const
    await services.db.inTenant(principal, tx => recordAudit(tx, principal, entry, asked))
    const token = await services.tokens.signOperator({ accountId, sessionId: principal.sessionId as string }, now)
    return { token, level: standing.level, expiresAt: isoMs(now + operatorTokenSeconds * 1_000) }
  },
})

const Operator = Type.Object({
  accountId: IntegerId,
  email: Type.String(),
  name: Type.String(),
  level: Level,
  hasSecondFactor: Type.Boolean({ description: 'Without one the account gets no token.' }),
  createdAt: Timestamp,
})

const sampleOperator: Static<typeof Operator> = {
  accountId: 1,
  email: 'ops@example.com',
  name: 'Ada Park',
  level: 'full',
  hasSecondFactor: true,
  createdAt: '2026-11-21T08:44:00.123Z',
}

function presentOperator(row: OperatorRow) {
  return {
    accountId: row.account_id,
    email: row.email,
    name: row.name,
    level: row.level,
    hasSecondFactor: row.has_factor,
    createdAt: row.created_at,
  }
}

export const listAllOperators = endpoint({
  ...own,
  id: 'operators.list',
  method: 'GET',
  path: '/operator/operators',
  operator: 'support',
  name: 'List operators',
  description: 'The accounts that run this installation.',
  reply: Type.Object({ operators: Type.Array(Operator) }),
  envelope: 'data',
  sample: { reply: { operators: [sampleOperator] } },
  async handle({ services }) {
    return { operators: (await listOperators(services.db)).map(presentOperator) }
  },
})

export const setOneOperator = endpoint({
  ...own,
  id: 'operators.set',
  method: 'PUT',
  path: '/operator/operators',
  operator: 'full',
  name: 'Set an operator',
  description:
    'Makes an account an operator, or changes what it may do. The last one with full rights stays one. An account of which it is not sure ' +
    'that nobody else can log in to it loses password, second factors and sessions: its person sets a password by a mail.',
  body: Type.Object({ email: Email, level: Level }),
  reply: Operator,
  envelope: 'data',
  problems: ['no_such_account', 'last_operator'],
  sample: { body: { email: 'ops@example.com', level: 'full' }, reply: sampleOperator },
  async handle({ body: { email, level }, services, ...context }) {
    const { accountId } = await changeOperator(services, email, level, { ...actingOf(context), mayBeLast: false })
    const row = (await listOperators(services.db)).find(one => one.account_id === accountId)
    return presentOperator(row as OperatorRow)
  },
})

export const removeOperator = endpoint({
  ...own,
  id: 'operators.remove',
  method: 'DELETE',
  path: '/operator/operators/{accountId}',
  operator: 'full',
  name: 'Remove an operator',
  description:
    'The account runs the installation no more; its tokens end at once. The last one with full rights stays one.',
  params: Type.Object({ accountId: IntegerId }),
  reply: Type.Object({ accountId: IntegerId, deleted: Type.Literal(true) }),
  envelope: 'data',
  problems: ['not_found', 'last_operator'],
  sample: { params: { accountId: 2 }, reply: { accountId: 2, deleted: true } },
  async handle({ params: { accountId }, services, ...context }) {
    const row = (await listOperators(services.db)).find(one => one.account_id === accountId)
    if (row === undefined) throw new Problem('not_found')
    await changeOperator(services, row.email, null, { ...actingOf(context), mayBeLast: false })
    return { accountId, deleted: true as const }
  },
})

const Event = Type.Object({
  eventId: Type.String(),
  at: Timestamp,
  action: Type.String(),
  accountId: Nullable(Type.Integer({ description: 'Who did it; null for the command line.' })),
  operator: Type.String(),
  organizationId: Nullable(Type.Integer()),
  target: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  ip: Nullable(Type.String()),
})

export const listOperatorEvents = endpoint({
  ...own,
  id: 'operator_events.list',
  method: 'GET',
  path: '/operator/audit-events',
  operator: 'support',
  name: 'List what operators did',
  description: 'The newest first. What was done to an organization is in the audit log of that organization as well.',
  query: Type.Object({ organizationId: Type.Optional(IntegerId), ...v2PageQuery }),
  reply: Event,
  envelope: 'page',
  sample: {
    query: { organizationId: 2 },
    reply: {
      eventId: 'ope_01k9r7d3w2v8e6q4n5m1b0c9xz',
      at: '2026-11-21T08:44:00.123Z',
      action: 'organization.suspend',
      accountId: 1,
      operator: 'ops@example.com',
      organizationId: 2,
      target: null,
      reason: 'An invoice is not paid.',
      ip: '203.0.113.7',
    },
  },
  async handle({ query: { limit = 50, cursor, organizationId }, services }) {
    const filter = { organizationId }
    const beforeId = cursorId('ope', cursor, filter)
    const rows = await listEvents(services.db, { organizationId, beforeId, limit: limit + 1 })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    const items = cut.rows.map(row => ({
      eventId: row.id,
      at: row.at,
      action: row.action,
      accountId: row.account_id,
      operator: row.operator,
      organizationId: row.organization_id,
      target: row.target,
      reason: row.reason,
      ip: row.ip,
    }))
    return { items, limit, nextCursor: cut.nextCursor }
  },
})

export const endpoints = [createOperatorToken, listAllOperators, setOneOperator, removeOperator, listOperatorEvents]
