// What the inspector shows of records that have no page of their own, or whose page is about what can be done with them: conferences,
// recordings, SIP phones, what is put on records, saved views, imports and batches.
import type { Tandem } from '@tandem/sdk'
import type { ComponentType, ReactNode } from 'react'
import { endText } from '../conferences/conference_words.ts'
import { StateChip } from '../conferences/state_chip.tsx'
import { UserLink } from '../nouns/user_name.tsx'
import { RecordingSound } from '../recordings/recording_sound.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  Card,
  Chip,
  countText,
  DescriptionList,
  durationText,
  IdLink,
  Moment,
  StatusChip,
  sizeText,
} from '../ui/index.ts'
import { Hidden, Inspected, type InspectedProps } from './inspected_object.tsx'

type Plain<Value> = {
  /** As in a text: "No such note". */
  word: string
  permission: string
  read(api: Tandem, id: string, signal: AbortSignal): Promise<Value>
  title(value: Value): string
  facts(value: Value): Readonly<Record<string, ReactNode>>
  /** Below the facts. */
  more?(value: Value): ReactNode
}

/** A card of facts, those that are null left out. */
function plain<Value>({ word, permission, read, title, facts, more }: Plain<Value>): ComponentType<InspectedProps> {
  return function InspectedPlain(props: InspectedProps) {
    const api = useApi()
    const { permissions } = useSession()
    if (!permissions.has(permission)) return <Hidden permission={permission} />
    return (
      <Inspected {...props} noun={word} fetchIt={signal => read(api, props.id, signal)}>
        {value => (
          <Card title={title(value)}>
            <DescriptionList
              items={Object.entries(facts(value)).flatMap(([term, detail]) => (detail == null ? [] : { term, detail }))}
            />
            {more?.(value)}
          </Card>
        )}
      </Inspected>
    )
  }
}

const moment = (iso: string | null) => iso && <Moment iso={iso} />
const user = (id: number | null) => id && <UserLink id={id} />
const record = (id: string | null) => id && <IdLink id={id} />

export const InspectedConference = plain({
  word: 'conference',
  permission: 'calls:read',
  read: (api, conferenceId, signal) => api.conferences.get({ conferenceId }, { signal }),
  title: ({ name }) => name,
  facts: ({ state, participantCount, endReason, createdAt, startedAt, endedAt }) => ({
    State: <StateChip state={state} />,
    'In it now': countText(participantCount),
    'Ended because': endReason && endText(endReason),
    Opened: moment(createdAt),
    Started: moment(startedAt),
    Ended: moment(endedAt),
  }),
})

export const InspectedRecording = plain({
  word: 'recording',
  permission: 'recordings:read',
  read: (api, recordingId, signal) => api.recordings.get({ recordingId }, { signal }),
  title: () => 'Recording of a call',
  facts: ({ callId, state, durationMs, sizeBytes, createdAt }) => ({
    Call: record(callId),
    State: <StatusChip status={state} />,
    Length: durationMs && durationText(durationMs),
    Size: sizeBytes && sizeText(sizeBytes),
    Began: moment(createdAt),
  }),
  more: ({ state, recordingId }) => state === 'available' && <RecordingSound recordingId={recordingId} />,
})

export const InspectedPhone = plain({
  word: 'SIP phone',
  permission: 'sip_credentials:read',
  read: (api, credentialId, signal) => api.sipCredentials.get({ credentialId }, { signal }),
  title: ({ username, displayName }) => displayName ?? username,
  facts: ({ username, callerId, phone, registrations, createdAt }) => ({
    Name: username,
    'Is called by': <code>{phone.address}</code>,
    'Calls from': callerId,
    'Registered now': countText(registrations.length),
    Added: moment(createdAt),
  }),
})

export const InspectedNote = plain({
  word: 'note',
  permission: 'notes:read',
  read: async (api, id, signal) => (await api.notes.get({ id }, { signal })).note,
  title: ({ is_pinned: isPinned }) => (isPinned ? 'Pinned note' : 'Note'),
  facts: note => ({
    About: record(note.record_id),
    Text: note.body,
    Author: user(note.author_id),
    Written: moment(note.created_at),
    Changed: moment(note.edited_at),
  }),
})

export const InspectedTask = plain({
  word: 'task',
  permission: 'tasks:read',
  read: async (api, id, signal) => (await api.tasks.get({ id }, { signal })).task,
  title: ({ title }) => title,
  facts: task => ({
    About: record(task.record_id),
    Text: task.body,
    Status: <StatusChip status={task.status} />,
    Priority: task.priority,
    For: user(task.assignee_id),
    Until: moment(task.due_at),
    Added: moment(task.created_at),
  }),
})

export const InspectedAttachment = plain({
  word: 'file',
  permission: 'attachments:read',
  read: async (api, id, signal) => (await api.attachments.get({ id }, { signal })).attachment,
  title: ({ name }) => name,
  facts: file => ({
    On: record(file.record_id),
    Type: file.content_type,
    Size: sizeText(file.size_bytes),
    'Put there by': user(file.uploaded_by),
    When: moment(file.created_at),
  }),
})

export const InspectedTag = plain({
  word: 'tag',
  permission: 'tags:read',
  read: async (api, id, signal) => (await api.tags.get({ id }, { signal })).tag,
  title: ({ name }) => name,
  facts: tag => ({ Color: tag.color, Created: moment(tag.created_at) }),
})

export const InspectedView = plain({
  word: 'view',
  permission: 'views:read',
  read: async (api, id, signal) => (await api.views.get({ id }, { signal })).view,
  title: ({ name }) => name,
  facts: view => ({
    'List of': view.noun.replaceAll('_', ' '),
    Owner: user(view.owner_id),
    For: view.shared ? 'Everybody in the organization' : 'Its owner',
    Layout: view.layout,
  }),
})

export const InspectedImport = plain({
  word: 'import',
  permission: 'imports:read',
  read: async (api, id, signal) => (await api.imports.get({ id }, { signal })).import,
  title: one => one.file_name ?? `Import of ${one.noun.replaceAll('_', ' ')}`,
  facts: one => ({
    Records: one.noun.replaceAll('_', ' '),
    State: <StatusChip status={one.state} />,
    By: user(one.user_id),
    Size: sizeText(one.size_bytes),
    Sent: moment(one.created_at),
  }),
})

export const InspectedBatch = plain({
  word: 'batch',
  permission: 'batches:read',
  read: async (api, id, signal) => (await api.batches.get({ id }, { signal })).batch,
  title: ({ source, noun }) =>
    source === 'revert' ? `Changes of ${noun} taken back` : `Changes of many ${noun.replaceAll('_', ' ')}`,
  facts: batch => ({
    State: <StatusChip status={batch.state} />,
    'Takes back': record(batch.reverts),
    By: user(batch.user_id),
    Meant: countText(batch.total),
    Changed: countText(batch.changed),
    Refused: batch.failed === 0 ? null : <Chip tone="warn">{countText(batch.failed)}</Chip>,
    Began: moment(batch.created_at),
    Ended: moment(batch.finished_at),
  }),
})
