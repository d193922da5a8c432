// The dialog that sends the events of a time again, and says how many it queued.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { Button, countText, Dialog, type Option, SelectField, TextField, Time } from '../ui/index.ts'
import { typeOptions, useEventGroups } from './event_types.ts'
import { useRefreshed } from './following.ts'
import { type Range, type Replayed, replayRange, type Scope, type Target } from './replaying.ts'
import styles from './webhooks.module.css'

const hourMs = 3_600_000
const fixedTimes: Option[] = [
  { value: '1', label: 'Of the last hour' },
  { value: '24', label: 'Of the last 24 hours' },
  { value: '168', label: 'Of the last 7 days' },
  { value: '720', label: 'Of the last 30 days' },
  { value: 'own', label: 'Of a time of your own' },
]

const scopes: { value: Scope; label: string; hint: string }[] = [
  { value: 'failed', label: 'What failed', hint: 'Deliveries that were given up.' },
  {
    value: 'undelivered',
    label: 'What did not arrive',
    hint: 'Deliveries that were given up, and events that were never sent because the webhook was disabled or not there yet.',
  },
  {
    value: 'all',
    label: 'Everything',
    hint: 'Also what arrived already. Receivers know it by its webhook-id, which stays the same.',
  },
]

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
    const now = new Date().toISOString()
    if (time === 'failing' && failingSince) return { scope, from: failingSince, to: now }
    return { scope, from: new Date(Date.now() - Number(time) * hourMs).toISOString(), to: now }
  }
  const { fields, mend, ...faults } = useFormFaults(replay.error, ['from', 'to'])
  if (replay.data !== undefined && !replay.isPending)
    return <Result done={replay.data} onMore={replay.mutate} onClose={onClose} />
  return (
    <FormDialog
      title="Send events again"
      description="Each keeps its webhook-id; time and signature are new, and it gets ten attempts again."
      className={styles['form']}
      faults={faults}
      action="Send again"
      busy={replay.isPending}
      onSubmit={() => replay.mutate({ replayed: 0, continueFrom: null })}
      onClose={onClose}
    >
      <SelectField
        label="What"
        options={scopes}
        value={scope}
        hint={scopes.find(({ value }) => value === scope)?.hint}
        onChange={event => setScope(event.target.value as Scope)}
      />
      <SelectField
        label="When it happened"
        options={failingSince ? [{ value: 'failing', label: 'Since it began to fail' }, ...fixedTimes] : fixedTimes}
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
              ['From', 'from', from, setFrom],
              ['To', 'to', to, setTo],
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
        label="Events"
        options={[{ value: '', label: 'All it hears of' }, ...typeOptions(groups.data ?? [], nouns)]}
        value={eventType}
        onChange={event => setEventType(event.target.value)}
      />
    </FormDialog>
  )
}

function Result({ done, onMore, onClose }: { done: Replayed; onMore(done: Replayed): void; onClose(): void }) {
  const { replayed, continueFrom } = done
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={replayed === 0 ? 'Nothing to send again' : `${countText(replayed)} queued`}
      footer={
        <>
          {continueFrom !== null && <Button onClick={() => onMore(done)}>Go on</Button>}
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <p role="status">
        {replayed === 0
          ? 'No event of that time is left to send, or those there are wait to be sent already.'
          : 'They are sent now, the oldest first. The list shows what becomes of each.'}
        {continueFrom !== null && (
          <>
            {' '}
            There are more, from <Time iso={continueFrom} exact /> on.
          </>
        )}
      </p>
    </Dialog>
  )
}
