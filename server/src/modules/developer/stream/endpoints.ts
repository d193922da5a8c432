// The live stream: requests and events as they happen, over one connection that can be resumed.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { WordList, wordsOf } from '../../../kernel/endpoint/list_query.ts'
import { OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { requestSources } from '../../../kernel/request_log/request_detail.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { Signal } from '../../conversations/index.ts'
import { EventItem } from '../events/index.ts'
import { LoggedRequest, sampleRequest } from '../requests/index.ts'
import { openListener } from './listener.ts'
import { readPositions, type TopicName, topicNames } from './position.ts'
import { topicPermissions } from './rules.ts'

const id = Type.Optional(Type.String({ description: 'Send it as Last-Event-ID to go on behind this message.' }))

const StreamMessage = Type.Union([
  Type.Object({
    event: Type.Literal('ready'),
    id,
    data: Type.Object({ topics: Type.Array(OneOf(topicNames), { description: 'What this stream reports.' }) }),
  }),
  Type.Object({ event: Type.Literal('request'), id, data: LoggedRequest }),
  Type.Object({ event: Type.Literal('event'), id, data: EventItem }),
  Type.Object({ event: Type.Literal('conversation'), id, data: Signal }),
  Type.Object({
    event: Type.Literal('gap'),
    id,
    data: Type.Object({
      topic: OneOf(topicNames),
      after: Type.Unsafe<string>({ ...Timestamp, description: 'Read the list of the topic from this moment on.' }),
      reason: OneOf(['too_many', 'too_old', 'database_restored'], {
        description:
          'More than 1,000 were missed, it was more than seven days ago (of conversations, 50 minutes), or a backup was restored.',
      }),
    }),
  }),
  Type.Object({
    event: Type.Literal('end'),
    data: Type.Object({
      reason: Type.String({
        description:
          'What ended the credential (such as token_expired or key_revoked), permissions_changed, slow (what was sent ' +
          'was not read), unavailable (the database did not answer) or stopping (the server stops).',
      }),
    }),
  }),
])

/** The topics asked for, or all the caller may read. @throws Problem `insufficient_role` or `insufficient_scope` */
function topicsOf(principal: Principal, asked: string | undefined): TopicName[] {
  const wanted = asked === undefined ? undefined : wordsOf(asked, topicNames)
  const refused = wanted?.find(name => !principal.permissions.has(topicPermissions[name]))
  const missing = principal.scopes === null ? 'insufficient_role' : 'insufficient_scope'
  if (refused !== undefined)
    throw new Problem(missing, {
      message: `The topic ${refused} needs the permission ${topicPermissions[refused]}. Leave it out of topics.`,
    })
  const topics = wanted ?? topicNames.filter(name => principal.permissions.has(topicPermissions[name]))
  if (topics.length > 0) return topicNames.filter(name => topics.includes(name))
  throw new Problem(missing, {
    message: `A stream needs the permission of one of its topics: ${Object.values(topicPermissions).join(', ')}.`,
  })
}

export const openStream = endpoint({
  id: 'stream.open',
  version: 'v2',
  category: 'Developer',
  method: 'GET',
  path: '/stream',
  name: 'Stream requests, events and the inbox',
  description:
    'API requests and events as they happen, within a second, as text/event-stream: the items of the lists of requests ' +
    'and of events, and what changes in the shared inbox, for those who see them there. The first message is `ready`; then ' +
    'come `request`, `event` and `conversation`. A ' +
    'comment every 15 seconds shows that the connection lives. Each message has an id: send the last one as ' +
    'Last-Event-ID and the stream goes on behind it, each item once; when more than 1,000 were missed, a message `gap` ' +
    'says from when on to read the list. The last message is `end` with its reason: the credential was revoked or ' +
    'expired, the reader was too slow, or the server stops; connect again with the id. Openings of streams are logged ' +
    'as requests, but no stream reports them. At most 20 streams a user.',
  permission: 'stream:open',
  query: Type.Object({
    topics: Type.Optional(WordList(topicNames, 'What to send; all that the caller may read when left out.')),
    eventTypes: Type.Optional(
      Type.String({
        maxLength: 1_000,
        pattern: '^[a-z_]+(?:\\.[a-z_]+)*(?:\\.\\*)?(?:,[a-z_]+(?:\\.[a-z_]+)*(?:\\.\\*)?)*$',
        errorMessage: 'must be types such as lead.created, or lead.* for all of leads, with commas between',
        description: 'Only events of these types, with commas between: lead.created, or lead.* for all of leads.',
      }),
    ),
    numbers: Type.Optional(
      Type.String({
        maxLength: 1_000,
        pattern: '^\\+[0-9]{1,15}(?:,\\+[0-9]{1,15})*$',
        errorMessage: 'must be telephone numbers such as +4930123456, with commas between',
        description:
          'Of texts and calls, only events of those from or to these telephone numbers, with commas between: what ' +
          'the page of one person needs. Other events are not concerned.',
      }),
    ),
    source: Type.Optional(WordList(requestSources, 'Only requests from there.')),
    lastEventId: Type.Optional(
      Type.String({ maxLength: 4_000, description: 'For programs that cannot send the header Last-Event-ID.' }),
    ),
  }),
  reply: StreamMessage,
  envelope: 'stream',
  problems: ['insufficient_role', 'too_many_streams'],
  sample: {
    query: { topics: 'requests' },
    reply: { event: 'request', id: 'r-mi8x3k2p-1q4.0', data: sampleRequest },
  },
  async handle({ principal, query, header, services }) {
    const topics = topicsOf(principal, query.topics)
    const lastId = header('last-event-id') || query.lastEventId || undefined
    const resume = lastId === undefined ? new Map() : readPositions(lastId)
    if (resume === undefined) {
      const field = header('last-event-id') ? 'Last-Event-ID' : 'lastEventId'
      throw invalid({ field, code: 'not_allowed', message: 'must be the id of a message of this stream' })
    }
    const { source, eventTypes, numbers } = query
    return openListener(services, principal, {
      topics,
      resume: new Map([...resume].filter(([name]) => topics.includes(name))),
      ...(source === undefined ? {} : { source }),
      ...(eventTypes === undefined ? {} : { eventTypes }),
      ...(numbers === undefined ? {} : { numbers }),
    })
  },
})

export const endpoints = [openStream]
