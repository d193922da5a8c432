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
import { t } from './texts.ts'

type Plain<Value> = {
  permission: string
  read(api: Tandem, id: string, signal: AbortSignal): Promise<Value>
  title(value: Value): string
  facts(value: Value): Readonly<Record<string, ReactNode>>
  /** Below the facts. */
  more?(value: Value): ReactNode
}

/** A card of facts, those that are null left out. */
function plain<Value>({ permission, read, title, facts, more }: Plain<Value>): ComponentType<InspectedProps> {
  return function InspectedPlain(props: InspectedProps) {
    const api = useApi()
    const { permissions } = useSession()
    if (!permissions.has(permission)) return <Hidden permission={permission} />
    return (
      <Inspected {...props} fetchIt={signal => read(api, props.id, signal)}>
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
  permission: 'calls:read',
  read: (api, conferenceId, signal) => api.conferences.get({ conferenceId }, { signal }),
  title: ({ name }) => name,
  facts: ({ state, participantCount, endReason, createdAt, startedAt, endedAt }) => ({
    [t('state')]: <StateChip state={state} />,
    [t('inItNow')]: countText(participantCount),
    [t('endedBecause')]: endReason && endText(endReason),
    [t('opened')]: moment(createdAt),
    [t('started')]: moment(startedAt),
    [t('ended')]: moment(endedAt),
  }),
})

export const InspectedRecording = plain({
  permission: 'recordings:read',
  read: (api, recordingId, signal) => api.recordings.get({ recordingId }, { signal }),
  title: () => t('recordingTitle'),
  facts: ({ callId, state, durationMs, sizeBytes, createdAt }) => ({
    [t('kind.call')]: record(callId),
    [t('state')]: <StatusChip status={state} />,
    [t('length')]: durationMs && durationText(durationMs),
    [t('size')]: sizeBytes && sizeText(sizeBytes),
    [t('began')]: moment(createdAt),
  }),
  more: ({ state, recordingId }) => state === 'available' && <RecordingSound recordingId={recordingId} />,
})

export const InspectedPhone = plain({
  permission: 'sip_credentials:read',
  read: (api, credentialId, signal) => api.sipCredentials.get({ credentialId }, { signal }),
  title: ({ username, displayName }) => displayName ?? username,
  facts: ({ username, callerId, phone, registrations, createdAt }) => ({
    [t('name')]: username,
    [t('calledBy')]: <code>{phone.address}</code>,
    [t('callsFrom')]: callerId,
    [t('registered')]: countText(registrations.length),
    [t('added')]: moment(createdAt),
  }),
})

export const InspectedNote = plain({
  permission: 'notes:read',
  read: async (api, id, signal) => (await api.notes.get({ id }, { signal })).note,
  title: ({ is_pinned: isPinned }) => t(isPinned ? 'pinnedNote' : 'kind.note'),
  facts: note => ({
    [t('about')]: record(note.record_id),
    [t('text')]: note.body,
    [t('author')]: user(note.author_id),
    [t('written')]: moment(note.created_at),
    [t('changed')]: moment(note.edited_at),
  }),
})

export const InspectedTask = plain({
  permission: 'tasks:read',
  read: async (api, id, signal) => (await api.tasks.get({ id }, { signal })).task,
  title: ({ title }) => title,
  facts: task => ({
    [t('about')]: record(task.record_id),
    [t('text')]: task.body,
    [t('status')]: <StatusChip status={task.status} />,
    [t('priority')]: task.priority,
    [t('for')]: user(task.assignee_id),
    [t('until')]: moment(task.due_at),
    [t('added')]: moment(task.created_at),
  }),
})

export const InspectedAttachment = plain({
  permission: 'attachments:read',
  read: async (api, id, signal) => (await api.attachments.get({ id }, { signal })).attachment,
  title: ({ name }) => name,
  facts: file => ({
    [t('on.record')]: record(file.record_id),
    [t('type')]: file.content_type,
    [t('size')]: sizeText(file.size_bytes),
    [t('putBy')]: user(file.uploaded_by),
    [t('when')]: moment(file.created_at),
  }),
})

export const InspectedTag = plain({
  permission: 'tags:read',
  read: async (api, id, signal) => (await api.tags.get({ id }, { signal })).tag,
  title: ({ name }) => name,
  facts: tag => ({ [t('color')]: tag.color, [t('created')]: moment(tag.created_at) }),
})

export const InspectedView = plain({
  permission: 'views:read',
  read: async (api, id, signal) => (await api.views.get({ id }, { signal })).view,
  title: ({ name }) => name,
  facts: view => ({
    [t('listOf')]: view.noun.replaceAll('_', ' '),
    [t('owner')]: user(view.owner_id),
    [t('for')]: t(view.shared ? 'everyone' : 'itsOwner'),
    [t('layout')]: view.layout,
  }),
})

export const InspectedImport = plain({
  permission: 'imports:read',
  read: async (api, id, signal) => (await api.imports.get({ id }, { signal })).import,
  title: one => one.file_name ?? t('importOf', { noun: one.noun.replaceAll('_', ' ') }),
  facts: one => ({
    [t('records')]: one.noun.replaceAll('_', ' '),
    [t('state')]: <StatusChip status={one.state} />,
    [t('by')]: user(one.user_id),
    [t('size')]: sizeText(one.size_bytes),
    [t('sent')]: moment(one.created_at),
  }),
})

export const InspectedBatch = plain({
  permission: 'batches:read',
  read: async (api, id, signal) => (await api.batches.get({ id }, { signal })).batch,
  title: ({ source, noun }) =>
    t(source === 'revert' ? 'batchReverted' : 'batchTitle', { noun: noun.replaceAll('_', ' ') }),
  facts: batch => ({
    [t('state')]: <StatusChip status={batch.state} />,
    [t('takesBack')]: record(batch.reverts),
    [t('by')]: user(batch.user_id),
    [t('meant')]: countText(batch.total),
    [t('changed')]: countText(batch.changed),
    [t('refused')]: batch.failed === 0 ? null : <Chip tone="warn">{countText(batch.failed)}</Chip>,
    [t('began')]: moment(batch.created_at),
    [t('ended')]: moment(batch.finished_at),
  }),
})
