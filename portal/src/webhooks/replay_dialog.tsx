// The dialog that sends the events of a time again, and says how many it queued.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { Button, Dialog, type Option, SelectField, TextField, Time } from '../ui/index.ts'
import { typeOptions, useEventGroups } from './event_types.ts'
import { useRefreshed } from './following.ts'
import { type Range, type Replayed, replayRange, type Scope, type Target, untilNow } from './replaying.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

const hourMs = 3_600_000
const fixedTimes = ['1', '24', '168', '720', 'own'] as const
const scopes: readonly Scope[] = ['failed', 'undelivered', 'all']

/** A moment as a field of date and time shows it: local, to the minute. */
function localText(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** What such a field holds as the API takes it; text that is no moment is left to the API to check. */
function isoOf(local: string): string {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? local : date.toISOString()
}

const timesOf = (failingSince: string | null | undefined): Option[] => [
  ...(failingSince ? [{ value: 'failing', label: t('time.failing') }] : []),
  ...fixedTimes.map(value => ({ value, label: t(`time.${value}`) })),
]

export type ReplayDialogProps = {
  target: Target
  /** The beginning of a failure, offered as a time. */
  failingSince?: string | null
  /** Nouns of the events there can be; all when left out. */
  nouns?: readonly string[]
  onClose(): void
}
export function ReplayDialog({ target, failingSince, nouns, onClose }: ReplayDialogProps) {
  const api = useApi()
  const refresh = useRefreshed()
  const groups = useEventGroups()
  const [openedMs] = useState(() => Date.now())
  const [scope, setScope] = useState<Scope>('failed')
  const [time, setTime] = useState(failingSince ? 'failing' : '24')
  const [from, setFrom] = useState(() => localText(openedMs - 24 * hourMs))
  const [to, setTo] = useState(() => localText(openedMs + 60_000))
  const [eventType, setEventType] = useState('')
  const replay = useMutation({
    // Those queued before are counted too when it goes on.
    mutationFn: async (after: Replayed): Promise<Replayed> => {
      const types = eventType === '' ? {} : { eventTypes: [eventType] }
      const range = { ...rangeOf(), ...types }
      if (after.continueFrom !== null) range.from = after.continueFrom
      const done = await replayRange(api, target, range)
      await refresh()
      return { ...done, replayed: after.replayed + done.replayed }
    },
  })
  function rangeOf(): Range {
    if (time === 'own') return { scope, from: isoOf(from), to: isoOf(to) }
    if (time === 'failing' && failingSince) return { scope, from: failingSince, to: untilNow() }
    return { scope, from: new Date(Date.now() - Number(time) * hourMs).toISOString(), to: untilNow() }
  }
  const { fields, mend, ...faults } = useFormFaults(replay.error, ['from', 'to'])
  if (replay.data !== undefined && !replay.isPending)
    return <ReplayResult done={replay.data} onMore={replay.mutate} onClose={onClose} />
  return (
    <FormDialog
      title={t('replay')}
      description={t('replayText')}
      className={styles['form']}
      faults={faults}
      action={t('sendAgain')}
      busy={replay.isPending}
      onSubmit={() => replay.mutate({ replayed: 0, continueFrom: null })}
      onClose={onClose}
    >
      <SelectField
        label={t('what')}
        options={scopes.map(value => ({ value, label: t(`scope.${value}`) }))}
        value={scope}
        hint={t(`scopeHint.${scope}`)}
        onChange={event => setScope(event.target.value as Scope)}
      />
      <SelectField
        label={t('whenHappened')}
        options={timesOf(failingSince)}
        value={time}
        error={time === 'own' ? undefined : (fields['from'] ?? fields['to'])}
        onChange={event => {
          mend('from')
          setTime(event.target.value)
        }}
      />
      {time === 'own' && (
        <div className={styles['pair']}>
          {(
            [
              [t('from'), 'from', from, setFrom],
              [t('to'), 'to', to, setTo],
            ] as const
          ).map(([label, name, value, set]) => (
            <TextField
              key={name}
              label={label}
              type="datetime-local"
              value={value}
              error={fields[name]}
              onChange={event => {
                mend(name)
                set(event.target.value)
              }}
            />
          ))}
        </div>
      )}
      <SelectField
        label={t('events')}
        options={[{ value: '', label: t('allItHears') }, ...typeOptions(groups.data ?? [], nouns)]}
        value={eventType}
        onChange={event => setEventType(event.target.value)}
      />
    </FormDialog>
  )
}

type ResultProps = { done: Replayed; onMore(done: Replayed): void; onClose(): void }

/** How many were queued; where that was not all, it offers to go on. */
export function ReplayResult({ done, onMore, onClose }: ResultProps) {
  const { replayed, continueFrom } = done
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={replayed === 0 ? t('replayNone') : t('replayed', { count: replayed })}
      footer={
        <>
          {continueFrom !== null && <Button onClick={() => onMore(done)}>{t('goOn')}</Button>}
          <Button variant="primary" onClick={onClose}>
            {t('done')}
          </Button>
        </>
      }
    >
      <p role="status">
        {t(replayed === 0 ? 'replayNoneText' : 'replayedText')}
        {continueFrom !== null && <> {t.rich('replayMore', { from: () => <Time iso={continueFrom} exact /> })}</>}
      </p>
    </Dialog>
  )
}
