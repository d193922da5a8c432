// A text, in the composer: from the number or service of the organization, to a number of the person, with what becomes of it shown while
// it is typed.
import type { TimelineEntry } from '@tandem/sdk'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '../../data/lists.ts'
import { useNumbers, useServices } from '../../data/messaging_lists.ts'
import { Form } from '../../forms/form.tsx'
import { ComposeFields, useCompose } from '../../messages/compose.tsx'
import { simulatorSender } from '../../messages/sender_field.tsx'
import { PhoneNumber } from '../../people/phone_number.tsx'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { Button, LoadingRows, SelectField, toast } from '../../ui/index.ts'
import { isComposing } from '../../ui/input_method.ts'
import own from './composer.module.css'
import type { ComposerProps } from './composing.ts'
import { t } from './texts.ts'

type Props = ComposerProps & { onDone(): void }

/** The number that the person knows: the one that was written from, or to, last. */
function useUsedSender(story: Props['story']): string | undefined {
  const { mode } = useSession()
  const cache = useQueryClient()
  const known = cache.getQueriesData<InfiniteData<Page<TimelineEntry>>>({ queryKey: [mode, 'timeline', story] })
  const entries = known.flatMap(([, data]) => data?.pages ?? []).flatMap(({ items }) => items)
  const last = entries.find(({ kind }) => kind === 'message')
  return (last?.direction === 'inbound' ? last.to : last?.from) ?? undefined
}

export function TextPanel(props: Props) {
  const { mode } = useSession()
  const used = useUsedSender(props.story)
  const services = useServices()
  const numbers = useNumbers()
  if (services.isPending || numbers.isPending) return <LoadingRows label={t('sendersLoading')} rows={2} />
  const sender =
    used ??
    services.items[0]?.serviceId ??
    numbers.items.find(({ sms }) => sms)?.number ??
    (mode === 'test' ? simulatorSender : '')
  return <Panel {...props} sender={sender} />
}

/** Whether they asked this sender for no more texts; a sender that is being typed is not asked about. */
function useOptedOut(scope: string, recipient: string): boolean {
  const api = useApi()
  const { mode, permissions } = useSession()
  const services = useServices()
  const numbers = useNumbers()
  const isOwn =
    services.items.some(({ serviceId }) => serviceId === scope) || numbers.items.some(({ number }) => number === scope)
  const found = useQuery({
    queryKey: [mode, 'opt-outs', scope, recipient],
    queryFn: ({ signal }) => api.optOuts.list({ scope, recipient, limit: 1 }, { signal }),
    enabled: isOwn && recipient !== '' && permissions.has('messages:read'),
  })
  return (found.data?.items.length ?? 0) > 0
}

function Panel({ recordId, name, phones, sender, onDone }: Props & { sender: string }) {
  const [chosen, setChosen] = useState(phones[0] ?? '')
  // A number that was taken off the record meanwhile is written to no more.
  const to = phones.includes(chosen) ? chosen : (phones[0] ?? '')
  const compose = useCompose({
    draft: `text to ${recordId}`,
    sender,
    to,
    onSent({ status }, { sender: same, smart }, typed) {
      const next = { sender: same, smart, to: '', body: '', when: 'now', sendAt: '', tags: '' } as const
      compose.draft.sent(typed, next)
      toast({ text: t(status === 'scheduled' ? 'textScheduled' : 'textSent') })
      onDone()
    },
  })
  const isOptedOut = useOptedOut(compose.values.sender, to)
  return (
    <Form
      ref={compose.fields.form}
      className={own['panel']}
      aria-label={t('textTo', { name })}
      onSubmit={() => compose.send.mutate()}
      onKeyDown={event => {
        const isAsked = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isComposing(event)
        if (isAsked && !compose.send.isPending && !isOptedOut) compose.send.mutate()
      }}
    >
      {phones.length > 1 && (
        <SelectField
          label={t('to')}
          options={phones.map(value => ({ value, label: value }))}
          value={to}
          onChange={({ target }) => setChosen(target.value)}
        />
      )}
      {isOptedOut && (
        <p className={own['notice']} role="status">
          {t.rich('optedOut', { name: () => <bdi>{name}</bdi> })}
        </p>
      )}
      <ComposeFields compose={compose} />
      <div className={own['foot']}>
        {phones.length === 1 && (
          <span className={own['hint']}>{t.rich('toNumber', { number: () => <PhoneNumber number={to} /> })}</span>
        )}
        <Button type="submit" variant="primary" busy={compose.send.isPending} disabled={isOptedOut}>
          {t('textSend')}
        </Button>
      </div>
    </Form>
  )
}
