// How much of the API is used, by whom and how well, and what it refuses most.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { WordList, wordsOf } from '../../../kernel/endpoint/list_query.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { requestSources } from '../../../kernel/request_log/request_detail.ts'
import { percentile } from '../../../kernel/request_log/usage.ts'
import { presentAxis, timeAxis } from '../rules.ts'
import { axisReply, rangeQuery } from '../schema.ts'
import { type Grouping, groupings, totalOf, usageSeries, usersUsage } from './rules.ts'
import { listKeyNames, listRefusals, listUsage, type UsageFilter } from './store.ts'

const maxDays = 400
const filterQuery = {
  endpointId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Endpoint of the catalog, such as leads.create.' }),
  ),
  keyId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'API key used.' })),
  source: Type.Optional(
    WordList(
      requestSources,
      'Where requests came from; left out: api and playground, without what the portal asks for its own screens.',
    ),
  ),
}

type FilterQuery = { endpointId?: string; keyId?: string; source?: string }

function filterOf(principal: Principal, { endpointId, keyId, source }: FilterQuery): UsageFilter {
  return {
    userId: usersUsage(principal),
    endpointId: endpointId ?? null,
    keyId: keyId ?? null,
    sources: source === undefined ? ['api', 'playground'] : wordsOf(source, requestSources),
  }
}

const Count = Type.Integer({ minimum: 0 })
const Counts = Type.Array(Count)
const Milliseconds = Nullable(Type.Number())

const totalFields = {
  requests: Type.Integer({ minimum: 0, description: 'All requests.' }),
  errors: Type.Integer({ minimum: 0, description: 'Answered 5xx.' }),
  refused: Type.Integer({ minimum: 0, description: 'Answered 4xx, but for those beyond the rate limit.' }),
  limited: Type.Integer({ minimum: 0, description: 'Answered 429.' }),
  p50Ms: Nullable(Type.Number({ description: 'Half of the requests were answered within so many milliseconds.' })),
  p95Ms: Nullable(Type.Number({ description: '95 of 100 were.' })),
}

const UsageReply = Type.Object({
  ...axisReply,
  groupBy: OneOf(groupings),
  series: Type.Array(
    Type.Object({
      key: Type.String({
        description:
          'What it counts: an endpoint id, a key id, a status class (2xx, 3xx, 4xx, 429, 5xx), a source; "" for access' +
          ' tokens or addresses that are none, and for all with groupBy none; "other" for what is beyond 23 series.',
      }),
      label: Type.String({ description: 'The same for people: the name of the key.' }),
      requests: Counts,
      errors: Counts,
      refused: Counts,
      limited: Counts,
      p50Ms: Type.Array(Milliseconds),
      p95Ms: Type.Array(Milliseconds),
      total: Type.Object(totalFields),
    }),
    { description: 'The most used first.' },
  ),
  total: Type.Object(totalFields),
})

const sampleTotal = { requests: 1250, errors: 0, refused: 17, limited: 3, p50Ms: 4.2, p95Ms: 14.8 }

export const getUsage = endpoint({
  id: 'analytics.usage',
  version: 'v2',
  category: 'Analytics',
  method: 'GET',
  path: '/analytics/usage',
  name: 'Get API usage',
  description:
    'Requests, errors, refusals and answer times of this tenant and mode by hour or day, in series by endpoint, key, status' +
    ' or source. Counts are exact, percentiles are distinguished from classes of durations; a request is counted about a second' +
    ' after its answer. Kept for 400 days. A Sales Executive sees the use of own tokens and keys.',
  permission: 'usage:read',
  query: Type.Object({
    ...rangeQuery,
    groupBy: Type.Optional(OneOf(groupings, { default: 'none', description: 'What makes a series.' })),
    ...filterQuery,
  }),
  reply: UsageReply,
  envelope: 'data',
  sample: {
    query: { after: '2026-11-20T00:00:00Z', before: '2026-11-21T00:00:00Z', interval: 'day', groupBy: 'endpoint' },
    reply: {
      after: '2026-11-20T00:00:00.000Z',
      before: '2026-11-21T00:00:00.000Z',
      interval: 'day',
      timeZone: 'UTC',
      buckets: ['2026-11-20T00:00:00.000Z'],
      groupBy: 'endpoint',
      series: [
        {
          key: 'messages.sms.send',
          label: 'messages.sms.send',
          requests: [1250],
          errors: [0],
          refused: [17],
          limited: [3],
          p50Ms: [4.2],
          p95Ms: [14.8],
          total: sampleTotal,
        },
      ],
      total: sampleTotal,
    },
  },
  async handle({ tx, principal, query, now }) {
    const axis = timeAxis(query, principal.settings.timeZone, now, { maxDays })
    const groupBy: Grouping = query.groupBy ?? 'none'
    const cells = await listUsage(tx, principal, axis, filterOf(principal, query), groupBy)
    const ids = groupBy === 'key' ? [...new Set(cells.map(cell => cell.grp))].filter(id => id !== '') : []
    const names = await listKeyNames(tx, principal, ids)
    const series = usageSeries(cells, axis, percentile, key => names.get(key) ?? labelOf(groupBy, key))
    return { ...presentAxis(axis), groupBy, series, total: totalOf(cells, percentile) }
  },
})

function labelOf(groupBy: Grouping, key: string): string {
  if (key !== '') return key
  if (groupBy === 'none') return 'All requests'
  return groupBy === 'key' ? 'Access tokens' : 'No endpoint'
}

const Refusal = Type.Object({
  endpointId: Nullable(Type.String({ description: 'The endpoint in the catalog; null when there is none.' })),
  problem: Nullable(Type.String({ description: 'The problem code.' })),
  status: Type.Integer(),
  requests: Count,
  lastRequestId: Type.String({ description: 'The newest request that met it.' }),
  lastAt: Timestamp,
})

export const getErrors = endpoint({
  id: 'analytics.errors',
  version: 'v2',
  category: 'Analytics',
  method: 'GET',
  path: '/analytics/errors',
  name: 'Get the most frequent errors',
  description:
    'Which problems this tenant and mode met most, by endpoint, problem code and status, with the newest request of each.' +
    ' Hours are counted as a whole. Kept for 400 days. A Sales Executive sees those of own tokens and keys.',
  permission: 'usage:read',
  query: Type.Object({
    after: rangeQuery.after,
    before: rangeQuery.before,
    ...filterQuery,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many, at most 100; 20 when not said.' }),
    ),
  }),
  reply: Type.Object({ after: Timestamp, before: Timestamp, errors: Type.Array(Refusal) }),
  envelope: 'data',
  sample: {
    query: { limit: 5 },
    reply: {
      after: '2026-11-20T09:00:00.000Z',
      before: '2026-11-21T09:00:00.000Z',
      errors: [
        {
          endpointId: 'messages.sms.send',
          problem: 'invalid_to_number',
          status: 422,
          requests: 17,
          lastRequestId: 'req_01k9r7d3w2v8e6q4n5m1b0c9xz',
          lastAt: '2026-11-21T08:44:00.123Z',
        },
      ],
    },
  },
  async handle({ tx, principal, query, now }) {
    const { timeZone } = principal.settings
    const { after, before } = presentAxis(timeAxis(query, timeZone, now, { maxDays, unit: 'hour' }))
    const range = { fromMs: Date.parse(after), toMs: Date.parse(before) }
    const rows = await listRefusals(tx, principal, range, filterOf(principal, query), query.limit ?? 20)
    const errors = rows.map(row => ({
      endpointId: row.endpoint_id === '' ? null : row.endpoint_id,
      problem: row.problem === '' ? null : row.problem,
      status: row.status,
      requests: row.requests,
      lastRequestId: row.last_request_id,
      lastAt: row.last_at,
    }))
    return { after, before, errors }
  },
})

export const endpoints = [getUsage, getErrors]
