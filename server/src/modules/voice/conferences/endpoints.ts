// Conferences over the API: list and read them, and mute, hold or take out who is in one. What is asked goes to the node that
// holds the call, as a command of that call.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cutPage, readCursor, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { insertCommand, isLive, lockCalls } from '../call_records/index.ts'
import {
  conferenceStates,
  endReasons,
  leftReasons,
  presentConference,
  presentParticipant,
  presentSeated,
} from './rules.ts'
import { applyConferenceEvents, findConference, listConferences, listSeated, lockParticipant } from './store.ts'

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

const SeatedParticipant = Type.Object({
  ...Participant.properties,
  direction: OneOf(['outbound', 'inbound'], { description: 'Of the call, as Tandem sees it.' }),
  from: Type.String({ description: 'Who calls, in the call.' }),
  to: Type.String({ description: 'Who is called, in the call.' }),
})

const sampleConference: Static<typeof ConferenceRecord> = {
  conferenceId: 'conf_01kahm4b1c3d5e7f9g0h2j4k6m',
  name: 'daily',
  state: 'active',
  participantCount: 1,
  endReason: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  startedAt: '2026-11-21T08:44:00.123Z',
  endedAt: null,
}
const sampleParticipant: Static<typeof Participant> = {
  callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
  muted: false,
  held: false,
  coach: null,
  joinedAt: '2026-11-21T08:44:00.123Z',
  leftAt: null,
  leftReason: null,
}
const sampleSeated: Static<typeof SeatedParticipant> = {
  ...sampleParticipant,
  direction: 'inbound',
  from: '+15550100002',
  to: '+15550100001',
}
const { conferenceId } = sampleConference
const ConferenceId = RecordId('conf', 'Identifier of the conference.')

/** How many of those who left are listed with a conference. */
const maxLeft = 100

export const list = endpoint({
  id: 'conferences.list',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/conferences',
  name: 'List conferences',
  description:
    'Conferences of the tenant, newest first, those that are over too. They start by the instruction conference.',
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
    const place = readCursor(cursor, filters, 'time', 'id:conf')
    const rows = await listConferences(tx, principal, filters, place, limit + 1)
    const page = cutPage(rows, limit, row => [row.created_at, row.id], filters)
    return { items: page.rows.map(presentConference), limit, nextCursor: page.nextCursor }
  },
})

export const get = endpoint({
  id: 'conferences.get',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/conferences/{conferenceId}',
  name: 'Get a conference',
  description:
    'One conference with everybody who is in it, and the hundred who left last, in the order they came. Events of the ' +
    'conference report everybody.',
  permission: 'calls:read',
  params: Type.Object({ conferenceId: ConferenceId }),
  reply: Type.Object({
    ...ConferenceRecord.properties,
    participants: Type.Array(SeatedParticipant),
    othersLeft: Type.Boolean({ description: 'Whether others left before those who are listed.' }),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { conferenceId }, reply: { ...sampleConference, participants: [sampleSeated], othersLeft: false } },
  async handle({ params, tx, principal }) {
    const [conference, seated] = await Promise.all([
      findConference(tx, principal, params.conferenceId),
      listSeated(tx, principal, params.conferenceId, maxLeft),
    ])
    if (conference === undefined) throw new Problem('not_found')
    const { participants, othersLeft } = seated
    return { ...presentConference(conference), participants: participants.map(presentSeated), othersLeft }
  },
})

export const change = endpoint({
  id: 'conferences.update_participant',
  version: 'v2',
  category: 'Voice',
  method: 'PATCH',
  path: '/voice/conferences/{conferenceId}/participants/{callId}',
  name: 'Update a participant',
  description:
    'Mutes or holds a call that is in a conference, takes that back, or takes the call out: its instructions then go on ' +
    'behind conference. Answers the participant as it is to be; the node that holds the call does it at once. Writes ' +
    'conference.participant_updated where it changes; one that was taken out is reported by conference.participant_left.',
  permission: 'calls:control',
  params: Type.Object({
    conferenceId: ConferenceId,
    callId: RecordId('call', 'Identifier of the call.'),
  }),
  body: Type.Object({
    muted: Type.Optional(Type.Boolean({ description: 'Whether nobody is to hear it.' })),
    held: Type.Optional(Type.Boolean({ description: 'Whether it is neither to hear nor to be heard.' })),
    removed: Type.Optional(
      Type.Boolean({ const: true, errorMessage: 'must be true, or be left out', description: 'Takes it out.' }),
    ),
  }),
  reply: Participant,
  envelope: 'data',
  problems: ['not_found', 'participant_left'],
  sample: {
    params: { conferenceId, callId: sampleParticipant.callId },
    body: { muted: true },
    reply: { ...sampleParticipant, muted: true },
  },
  async handle({ params, body, tx, principal, now, afterCommit, services }) {
    // Calls are locked before what belongs to them.
    const [call] = await lockCalls(tx, principal, [params.callId])
    const row = await lockParticipant(tx, principal, params.conferenceId, params.callId)
    if (call === undefined || row === undefined) throw new Problem('not_found')
    if (row.left_at !== null || !isLive(call)) throw new Problem('participant_left')
    const { muted = row.muted, held = row.held } = body
    const { callId } = params
    const updated = { type: 'updated', atMs: now, callId, muted, held, callbackUrl: call.callback_url } as const
    await applyConferenceEvents(tx, principal, row.conference_id, [updated])
    await insertCommand(tx, principal, call, newId('cmd', now), {
      kind: 'participant',
      conferenceId: row.conference_id,
      ...body,
    })
    afterCommit(() => services.wake('call_jobs'))
    return presentParticipant({ ...row, muted, held })
  },
})

export const endpoints = [list, get, change]
