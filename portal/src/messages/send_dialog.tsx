// The dialog that sends a text, now or later; what was typed outlives it until it is sent.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCarriers } from '../data/messaging_lists.ts'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { FormDialog } from '../forms/form.tsx'
import { useSession } from '../session/session.ts'
import { ButtonLink, toast } from '../ui/index.ts'
import { ComposeFields, useCompose } from './compose.tsx'
import { simulatorSender } from './sender_field.tsx'
import { t } from './texts.ts'

export function SendDialog({ onClose }: { onClose(): void }) {
  const { mode } = useSession()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const carriers = useCarriers()
  const compose = useCompose({
    draft: 'text',
    sender: mode === 'test' ? simulatorSender : '',
    onSent({ messageId, status }, _values, typed) {
      compose.draft.sent(typed)
      void cache.invalidateQueries({ queryKey: [mode, 'messages'] })
      toast({ text: t(status === 'scheduled' ? 'textScheduled' : 'textSent') })
      void navigate({ to: '/messages/$id', params: { id: messageId }, search: {}, replace: true })
    },
  })
  const { draft, send, values } = compose
  const { form } = compose.fields
  return (
    <FormDialog
      kept
      title={t('send')}
      description={whoGetsIt(mode, carriers.isKnown ? carriers.items.length : undefined)}
      faults={{ form }}
      action={t(values.when === 'later' ? 'when.later' : 'sendDo')}
      busy={send.isPending}
      aside={
        <>
          <EmptyFormButton draft={draft} request={send} form={form} />
          <ButtonLink to="/playground" search={{ endpoint: 'messages.sms.send' }}>
            {t('sendElsewhere')}
          </ButtonLink>
        </>
      }
      onSubmit={send.mutate}
      onClose={onClose}
    >
      <ComposeFields compose={compose} full />
    </FormDialog>
  )
}

function whoGetsIt(mode: string, carriers: number | undefined): string {
  if (mode === 'test') return t('who.test')
  if (carriers === 0) return t('who.noCarrier')
  return t(carriers === undefined ? 'who.maybe' : 'who.live')
}
