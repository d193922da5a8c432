// Conferences over the API: list and read them, and mute, hold or take out who is in one. What is asked goes to the node that
// holds the call, as a command of that call.
import { Type } from 'typebox'
import { isoMs } from '../../../kernel/clock.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { cutPage, decodeCursor, v2PageQuery } from '../../../kernel/page.ts'
import { Problem } from '../../../kernel/problem.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { isLive } from '../calls/rules.ts'
import { insertCommand, lockCalls } from '../calls/store.ts'
import { conferenceStates, endReasons, leftReasons, presentConference, presentParticipant } from './rules.ts'
import { findConference, listConferences, listParticipants, lockParticipant, markParticipant } from './store.ts'

const State = OneOf(conferenceStates, {
  description: 'init: all who are in wait for somebody with whom it starts; active: they hear each other; ended.',
})

const ConferenceRecord = Type.Object({
  conferenceId: Type.String({ description: 'Identifier of the conference, `conf_…`.' }),
  name: Type.String({ description: 'As the instruction names it. Only one conference of a name is under way.' }),
  state: State,
  participantCount: Type.Integer({ description: 'How many calls are in it now.' }),
  endReason: Nullable(
    OneOf(endReasons, {
      description: 'empty: the last one left; host_left: somebody with endOnExit left; node_lost: its process died.',
    }),
  ),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
})

const Participant = Type.Object({
  callId: Type.String({ description: 'The call, `call_…`.' }),
  muted: Type.Boolean({ description: 'Whether nobody hears it.' }),
  held: Type.Boolean({ description: 'Whether it neither hears nor is heard.' }),
  coach: Nullable(Type.String({ description: 'The call that alone hears it.' })),
  joinedAt: Timestamp,
  leftAt: Nullable(Timestamp),
  leftReason: Nullable(
    OneOf(leftReasons, {
      description: 'Why it left: hangup, a key, the time limit, removed by a request, or its end.',
    }),
  ),
})

const sampleConference = {
  conferenceId: 'conf_01kahm4b1c3d5e7f9g0h2j4k6m',
  name: 'daily',
  state: 'active',
  participantCount: 1,
  endReason: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  startedAt: '2026-11-21T08:44:00.123Z',
  endedAt: null,
}
const sampleParticipant = {
  callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
  muted: false,
  held: false,
  coach: null,
  joinedAt: '2026-11-21T08:44:00.123Z',
  leftAt: null,
  leftReason: null,
}
const { conferenceId } = sampleConference
const ConferenceId = Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the conference.' })

export const list = endpoint({
  id: 'conferences.list',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/conferences',
  name: 'List conferences',
  description:
    'Conferences of the tenant, newest first, those that are over too. They begin by the instruction conference.',
  permission: 'calls:read',
  query: Type.Object({
    ...v2PageQuery,
    state: Type.Optional(State),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Only those of this name.' })),
  }),
  reply: ConferenceRecord,
  envelope: 'page',
  sample: { query: { state: 'active' }, reply: sampleConference },
  async handle({ query, tx, principal }) {
    const { limit = 50, cursor, ...filters } = query
    const place = cursor === undefined ? undefined : behind(cursor, filters)
    const rows = await listConferences(tx, principal, filters, place, limit + 1)
    const page = cutPage(rows, limit, row => [row.created_at, row.id], filters)
    return { items: page.rows.map(presentConference), limit, nextCursor: page.nextCursor }
  },
})

function behind(cursor: string, filters: unknown): [string, string] {
  const [createdAt, id] = decodeCursor(cursor, filters)
  if (typeof createdAt !== 'string' || typeof id !== 'string') throw new Problem('invalid_cursor')
  if (!isId('conf', id) || Number.isNaN(Date.parse(createdAt))) throw new Problem('invalid_cursor')
  return [isoMs(Date.parse(createdAt)), id]
}

export const get = endpoint({
  id: 'conferences.get',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/conferences/{conferenceId}',
  name: 'Get a conference',
  description: 'One conference with everybody who is in it or was, in the order they came.',
  permission: 'calls:read',
  params: Type.Object({ conferenceId: ConferenceId }),
  reply: Type.Object({ ...ConferenceRecord.properties, participants: Type.Array(Participant) }),
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { conferenceId }, reply: { ...sampleConference, participants: [sampleParticipant] } },
  async handle({ params, tx, principal }) {
    if (!isId('conf', params.conferenceId)) throw new Problem('not_found')
    const [conference, participants] = await Promise.all([
      findConference(tx, principal, params.conferenceId),
      listParticipants(tx, principal, params.conferenceId),
    ])
    if (conference === undefined) throw new Problem('not_found')
    return { ...presentConference(conference), participants: participants.map(presentParticipant) }
  },
})

export const change = endpoint({
  id: 'conferences.change_participant',
  version: 'v2',
  category: 'Voice',
  method: 'PATCH',
  path: '/voice/conferences/{conferenceId}/participants/{callId}',
  name: 'Change a participant',
  description:
    'Mutes or holds a call that is in a conference, takes that back, or takes the call out: its instructions then go on ' +
    'behind conference. Answers the participant as it is to be; the node that holds the call does it at once, and one that ' +
    'was taken out is told of by the event conference.participant_left.',
  permission: 'calls:control',
  params: Type.Object({
    conferenceId: ConferenceId,
    callId: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the call.' }),
  }),
  body: Type.Object(
    {
      muted: Type.Optional(Type.Boolean({ description: 'Whether nobody is to hear it.' })),
      held: Type.Optional(Type.Boolean({ description: 'Whether it is neither to hear nor to be heard.' })),
      removed: Type.Optional(
        Type.Boolean({ const: true, errorMessage: 'must be true, or be left out', description: 'Takes it out.' }),
      ),
    },
    { minProperties: 1 },
  ),
  reply: Participant,
  envelope: 'data',
  problems: ['not_found', 'participant_left'],
  sample: {
    params: { conferenceId, callId: sampleParticipant.callId },
    body: { muted: true },
    reply: { ...sampleParticipant, muted: true },
  },
  async handle({ params, body, tx, principal, now, afterCommit, services }) {
    if (!isId('conf', params.conferenceId) || !isId('call', params.callId)) throw new Problem('not_found')
    // Calls are locked before what belongs to them.
    const [call] = await lockCalls(tx, principal, [params.callId])
    const row = await lockParticipant(tx, principal, params.conferenceId, params.callId)
    if (call === undefined || row === undefined) throw new Problem('not_found')
    if (row.left_at !== null || !isLive(call)) throw new Problem('participant_left')
    const { muted = row.muted, held = row.held } = body
    const changed = { ...row, muted, held }
    await markParticipant(tx, principal, changed)
    await insertCommand(tx, principal, call, newId('cmd', now), {
      ...{ kind: 'participant', conferenceId: row.conference_id },
      ...body,
    })
    afterCommit(() => services.wake('call_jobs'))
    return presentParticipant(changed)
  },
})

export const endpoints = [list, get, change]
