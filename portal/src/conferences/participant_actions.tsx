// What can be done with somebody in a conference, mute, hold, undo either, remove.
import type { Conference } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOtherName } from '../people/party.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, toast } from '../ui/index.ts'
import type { Participant } from './conference_words.ts'
import styles from './conferences.module.css'
import { t } from './texts.ts'

type Change = { muted: boolean } | { held: boolean } | { removed: true }

export type ParticipantActionsProps = { conferenceId: string; participant: Participant }

export function ParticipantActions({ conferenceId, participant }: ParticipantActionsProps) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  const [asked, setAsked] = useState(false)
  const { callId, muted, held } = participant
  const name = useOtherName(participant)
  const queryKey = [mode, 'conference', conferenceId]
  const change = useMutation({
    mutationFn: (what: Change) => api.conferences.updateParticipant({ conferenceId, callId, ...what }),
    onSuccess(changed, what) {
      cache.setQueryData<Conference>(
        queryKey,
        old =>
          old && {
            ...old,
            participants: old.participants.map(one => (one.callId === callId ? { ...one, ...changed } : one)),
          },
      )
      if (!('removed' in what)) return
      setAsked(false)
      toast({ text: t('removed', { name }) })
    },
    onError(error, what) {
      // Who left meanwhile is shown as gone.
      void cache.invalidateQueries({ queryKey })
      if (!('removed' in what)) toast({ text: faultText(error), tone: 'bad' })
    },
  })
  return (
    <div className={styles['actions']}>
      <Button
        size="sm"
        busy={change.isPending && !asked}
        aria-label={t(muted ? 'unmuteName' : 'muteName', { name })}
        onClick={() => change.mutate({ muted: !muted })}
      >
        {t(muted ? 'unmute' : 'mute')}
      </Button>
      <Button
        size="sm"
        busy={change.isPending && !asked}
        aria-label={t(held ? 'resumeName' : 'holdName', { name })}
        onClick={() => change.mutate({ held: !held })}
      >
        {t(held ? 'resume' : 'hold')}
      </Button>
      <Button size="sm" variant="danger" aria-label={t('removeName', { name })} onClick={() => setAsked(true)}>
        {t('remove')}
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={t('removeTitle', { name })}
        description={t('removeText')}
        confirmLabel={t('remove')}
        danger
        busy={change.isPending}
        error={change.error === null ? undefined : faultText(change.error)}
        onConfirm={() => change.mutate({ removed: true })}
      />
    </div>
  )
}
