// The timeline of a lead: what was written and said, and what happened to the lead, in one list.
import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../../kernel/endpoint/endpoint.ts'
import { readCursor } from '../../kernel/endpoint/page.ts'
import { IntegerId } from '../../kernel/endpoint/schema.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { findVisibleLead, listLeadEvents } from '../crm/leads/index.ts'
import { exchangedWith, pageOf, putOn } from './parts.ts'
import { recordTimelines } from './record_timelines.ts'
import { entryOfLeadEvent, leftOutKinds } from './rules.ts'
import { TimelineQuery, TimelineReply } from './schemas.ts'

export const leadTimeline = endpoint({
  id: 'leads.timeline',
  version: 'v1',
  category: 'CRM',
  method: 'GET',
  path: '/api/leads/{id}/timeline',
  name: 'Get the timeline of a lead',
  description:
    'What was written and said with a lead, and what happened to the lead, newest first: messages to and from its phone number as it is now, calls likewise with their recordings, its own events, and the notes, tasks and files that were put on it. Leads with the same number all show what was exchanged with it. What one may not read is left out, and left_out names them. Who sees the lead is as in reading it.',
  permission: 'leads:read',
  params: Type.Object({ id: IntegerId }),
  query: TimelineQuery,
  reply: TimelineReply,
  envelope: 'success',
  problems: ['not_found', 'invalid_cursor'],
  sample: {
    params: { id: 17 },
    query: { limit: 3 },
    reply: {
      entries: [
        {
          id: 'call_01k9r7e3w2v8e6q4n5m1b0c9xz',
          kind: 'call',
          at: '2026-11-21T08:50:00.123Z',
          direction: 'inbound',
          title: 'Call from +15550100001',
          body: null,
          status: 'completed',
          code: 'normal',
          from: '+15550100001',
          to: '+15005550006',
          duration_seconds: 44,
          changes: [],
          recordings: [
            { recording_id: 'rec_01k9r7e4w2v8e6q4n5m1b0c9xz', state: 'available', duration_seconds: 42, code: null },
          ],
          user_id: null,
          resource_id: 'call_01k9r7e3w2v8e6q4n5m1b0c9xz',
        },
        {
          id: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
          kind: 'message',
          at: '2026-11-21T08:44:00.123Z',
          direction: 'outbound',
          title: 'Text to +15550100001',
          body: 'Your table is ready.',
          status: 'delivered',
          code: null,
          from: '+15005550006',
          to: '+15550100001',
          duration_seconds: null,
          changes: [],
          recordings: [],
          user_id: null,
          resource_id: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
        },
        {
          id: 'evt_01k9r7c3w2v8e6q4n5m1b0c9xz',
          kind: 'lead_event',
          at: '2026-11-21T08:40:00.000Z',
          direction: null,
          title: 'Lead created',
          body: null,
          status: 'New',
          code: null,
          from: null,
          to: null,
          duration_seconds: null,
          changes: [],
          recordings: [],
          user_id: null,
          resource_id: '17',
        },
      ],
      left_out: [],
      pagination: { limit: 3, nextCursor: null },
    },
  },
  async handle({ tx, params, query, principal }) {
    const lead = await findVisibleLead(tx, principal, params.id)
    if (lead === undefined) throw new Problem('not_found')
    const { limit = 20 } = query
    const { phone } = lead
    // A cursor belongs to this lead and number: with another number the story is another.
    const listed = { lead: lead.id, phone }
    const behind = readCursor(query.cursor, listed, 'time', 'text')
    const most = limit + 1
    const [events, exchanged, put] = await Promise.all([
      listLeadEvents(tx, principal, lead.id, behind, most),
      exchangedWith(tx, principal, phone === null ? [] : [phone], behind, most),
      putOn(tx, principal, `lead:${lead.id}`, behind, most),
    ])
    const entries = [events.map(event => entryOfLeadEvent(event, lead.id)), exchanged, put]
    return pageOf(principal, entries, { limit, shown: leftOutKinds, listed })
  },
})

/** By call, once all nouns are known. */
export const timelineEndpoints = (): readonly Endpoint[] => [leadTimeline, ...recordTimelines()]
