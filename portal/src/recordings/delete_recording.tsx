// Deletes the sound of a recording, after a question.
import type { Recording } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, toast } from '../ui/index.ts'
import { t } from './texts.ts'

/** Nothing for those who may not. */
export function DeleteRecording({ recording: { recordingId, callId } }: { recording: Recording }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [asked, setAsked] = useState(false)
  const remove = useMutation({
    mutationFn: () => api.recordings.delete({ recordingId }),
    onSuccess: () => {
      setAsked(false)
      toast({ text: t('deleted') })
      void cache.invalidateQueries({ queryKey: [mode, 'recordings'] })
      return cache.invalidateQueries({ queryKey: [mode, 'recordings of', callId] })
    },
  })
  if (!permissions.has('recordings:delete')) return null
  return (
    <>
      <Button size="sm" variant="danger" icon={<Trash2 size={14} />} onClick={() => setAsked(true)}>
        {t('delete')}
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={t('deleteTitle')}
        description={t('deleteText')}
        confirmLabel={t('delete')}
        danger
        busy={remove.isPending}
        {...(remove.error === null ? {} : { error: faultText(remove.error) })}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
