// What can be done with somebody in a conference, mute, hold, undo either, remove.
import type { Conference } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ConfirmDialog, toast } from '../ui/index.ts'
import { type Participant, partyOf } from './conference_words.ts'
import styles from './conferences.module.css'

type Change = { muted: boolean } | { held: boolean } | { removed: true }

export type ParticipantActionsProps = { conferenceId: string; participant: Participant }

export function ParticipantActions({ conferenceId, participant }: ParticipantActionsProps) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  const [asked, setAsked] = useState(false)
  const { callId, muted, held } = participant
  const who = partyOf(participant)
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
      toast({ text: `${who} is being removed.` })
    },
    onError(error, what) {
      // Who left meanwhile is shown as gone.
      void cache.invalidateQueries({ queryKey })
      if (!('removed' in what)) toast({ text: error.message, tone: 'bad' })
    },
  })
  return (
    <div className={styles['actions']}>
      <Button
        size="sm"
        busy={change.isPending && !asked}
        aria-label={`${muted ? 'Unmute' : 'Mute'} ${who}`}
        onClick={() => change.mutate({ muted: !muted })}
      >
        {muted ? 'Unmute' : 'Mute'}
      </Button>
      <Button
        size="sm"
        busy={change.isPending && !asked}
        aria-label={`${held ? 'Resume' : 'Hold'} ${who}`}
        onClick={() => change.mutate({ held: !held })}
      >
        {held ? 'Resume' : 'Hold'}
      </Button>
      <Button size="sm" variant="danger" aria-label={`Remove ${who}`} onClick={() => setAsked(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={`Remove ${who}`}
        description="The call leaves the conference and goes on with what its instructions say next; without any it ends."
        confirmLabel="Remove"
        danger
        busy={change.isPending}
        error={change.error?.message}
        onConfirm={() => change.mutate({ removed: true })}
      />
    </div>
  )
}
