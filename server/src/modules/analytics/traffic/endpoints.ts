// How many messages and calls there were, and how they ended.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import { messageStatuses } from '../../messaging/sms/index.ts'
import { callStates } from '../../voice/call_records/index.ts'
import { presentAxis, timeAxis } from '../rules.ts'
import { axisReply, rangeQuery } from '../schema.ts'
import { minutesOf, sumOf, trafficSeries } from './rules.ts'
import { listTraffic } from './store.ts'

const maxDays = 92
const directions = ['outbound', 'inbound'] as const

const Count = Type.Integer({ minimum: 0 })
const Counts = Type.Array(Count)
const Minutes = Type.Number({ minimum: 0, description: 'From answer to end, with two decimals.' })
const Direction = OneOf(directions)

const MessageTotal = Type.Object({ messages: Count, segments: Count })
const CallTotal = Type.Object({ calls: Count, minutes: Minutes })

const sampleAxis = {
  after: '2026-11-20T00:00:00.000Z',
  before: '2026-11-22T00:00:00.000Z',
  interval: 'day' as const,
  timeZone: 'UTC',
  buckets: ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
}
const sampleQuery = { after: '2026-11-20', before: '2026-11-22', interval: 'day' }

export const getMessaging = endpoint({
  id: 'analytics.messaging',
  version: 'v2',
  category: 'Analytics',
  method: 'GET',
  path: '/analytics/messaging',
  name: 'Get message figures',
  description:
    'Messages and segments of this tenant and mode by the hour or day they were made in, in a series for each direction' +
    ' and status: the status of now, so a message delivered later moves to delivered in its first hour. Exact at any' +
    ' moment. At most 92 days at a time.',
  permission: 'usage:read',
  query: Type.Object(rangeQuery),
  reply: Type.Object({
    ...axisReply,
    series: Type.Array(
      Type.Object({
        direction: Direction,
        status: OneOf(messageStatuses),
        messages: Counts,
        segments: Counts,
        total: MessageTotal,
      }),
      { description: 'Those that occur.' },
    ),
    total: MessageTotal,
  }),
  envelope: 'data',
  sample: {
    query: sampleQuery,
    reply: {
      ...sampleAxis,
      series: [
        {
          direction: 'outbound',
          status: 'delivered',
          messages: [120, 80],
          segments: [131, 90],
          total: { messages: 200, segments: 221 },
        },
      ],
      total: { messages: 200, segments: 221 },
    },
  },
  async handle({ tx, principal, query, now }) {
    const axis = timeAxis(query, principal.settings.timeZone, now, { maxDays })
    const cells = await listTraffic(tx, principal, 'message', axis)
    const series = trafficSeries(cells, axis, { directions, statuses: messageStatuses }).map(
      ({ direction, status, items, amounts }) => ({
        direction,
        status,
        messages: items,
        segments: amounts,
        total: { messages: sumOf(items), segments: sumOf(amounts) },
      }),
    )
    const total = {
      messages: sumOf(series.map(one => one.total.messages)),
      segments: sumOf(series.map(one => one.total.segments)),
    }
    return { ...presentAxis(axis), series, total }
  },
})

export const getVoice = endpoint({
  id: 'analytics.voice',
  version: 'v2',
  category: 'Analytics',
  method: 'GET',
  path: '/analytics/voice',
  name: 'Get call figures',
  description:
    'Calls and minutes of talk of this tenant and mode by the hour or day the calls were made in, in a series for each' +
    ' direction and state: the state of now. Minutes count once a call is over. Exact at any moment. At most 92 days at a' +
    ' time.',
  permission: 'usage:read',
  query: Type.Object(rangeQuery),
  reply: Type.Object({
    ...axisReply,
    series: Type.Array(
      Type.Object({
        direction: Direction,
        state: OneOf(callStates),
        calls: Counts,
        minutes: Type.Array(Minutes),
        total: CallTotal,
      }),
      { description: 'Those that occur.' },
    ),
    total: CallTotal,
  }),
  envelope: 'data',
  sample: {
    query: sampleQuery,
    reply: {
      ...sampleAxis,
      series: [
        {
          direction: 'outbound',
          state: 'completed',
          calls: [12, 9],
          minutes: [31.25, 18.4],
          total: { calls: 21, minutes: 49.65 },
        },
      ],
      total: { calls: 21, minutes: 49.65 },
    },
  },
  async handle({ tx, principal, query, now }) {
    const axis = timeAxis(query, principal.settings.timeZone, now, { maxDays })
    const cells = await listTraffic(tx, principal, 'call', axis)
    const series = trafficSeries(cells, axis, { directions, statuses: callStates })
    return {
      ...presentAxis(axis),
      series: series.map(({ direction, status, items, amounts }) => ({
        direction,
        state: status,
        calls: items,
        minutes: amounts.map(minutesOf),
        total: { calls: sumOf(items), minutes: minutesOf(sumOf(amounts)) },
      })),
      total: {
        calls: sumOf(series.map(one => sumOf(one.items))),
        minutes: minutesOf(sumOf(series.map(one => sumOf(one.amounts)))),
      },
    }
  },
})

export const endpoints = [getMessaging, getVoice]
