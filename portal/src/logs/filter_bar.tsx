// The filters above the log. Those that only links set, such as an endpoint or an hour, stand below as pills to take away.
import { X } from 'lucide-react'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { type Params, without } from '../navigation/params.ts'
import { useName } from '../nouns/names.ts'
import { endpointById } from '../session/catalog.ts'
import { Button, Toolbar } from '../ui/index.ts'
import { chosenFilters, filterNames, spans } from './log_filters.ts'
import styles from './logs.module.css'

const statuses = ['2xx', '3xx', '4xx', '5xx', '400', '401', '403', '404', '409', '422', '429', '500', '503']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const same = (value: string) => ({ value, label: value })

type FilterBarProps = { params: Params; onChange(patch: Params): void }
export function FilterBar({ params, onChange }: FilterBarProps) {
  const wiring = { params, onChange }
  return (
    <>
      <Toolbar label="Filters of requests">
        <div className={styles['filters']}>
          <TextFilter name="path" label="Path begins with" placeholder="/v2/messages" mono pageSearch {...wiring} />
          <SelectFilter name="status" label="Status" all="All" options={statuses.map(same)} {...wiring} />
          <SelectFilter name="method" label="Method" all="All" options={methods.map(same)} {...wiring} />
          <SelectFilter
            name="source"
            label="Source"
            all="API, Playground"
            options={[
              { value: 'api', label: 'API' },
              { value: 'playground', label: 'Playground' },
              { value: 'portal', label: 'This portal' },
              { value: 'all', label: 'All' },
            ]}
            {...wiring}
          />
          <SelectFilter
            name="since"
            label="Time"
            all="Seven days"
            options={spans}
            params={params}
            onChange={patch => onChange({ ...patch, createdAfter: undefined, createdBefore: undefined })}
          />
          <TextFilter name="problem" label="Error code" placeholder="rate_limited" mono {...wiring} />
          <TextFilter name="keyId" label="Key id" placeholder="key_…" mono {...wiring} />
          <TextFilter name="resourceId" label="About" placeholder="lead:12" mono {...wiring} />
        </div>
      </Toolbar>
      <Pills params={params} onChange={onChange} />
    </>
  )
}

const momentFormat = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const moment = (iso: string) => (Number.isNaN(Date.parse(iso)) ? iso : momentFormat.format(new Date(iso)))

function timeText(after: string | undefined, before: string | undefined): string {
  if (after === undefined) return `before ${moment(before ?? '')}`
  return before === undefined ? `since ${moment(after)}` : `${moment(after)} to ${moment(before)}`
}

function Pills({ params, onChange }: FilterBarProps) {
  const { endpointId, userId, createdAfter: after, createdBefore: before } = params
  const userName = useName('user', /^\d{1,9}$/.test(userId ?? '') ? Number(userId) : null)
  const pills: [text: string, patch: Params][] = []
  if (endpointId) {
    pills.push([`Endpoint: ${endpointById(endpointId)?.name ?? endpointId}`, { endpointId: undefined }])
  }
  if (userId) pills.push([`User: ${userName ?? userId}`, { userId: undefined }])
  if (after || before)
    pills.push([`Time: ${timeText(after, before)}`, { createdAfter: undefined, createdBefore: undefined }])
  const all = Object.keys(chosenFilters(params)).length
  if (pills.length === 0 && all < 2) return null
  return (
    <div className={styles['pills']}>
      {pills.map(([text, patch]) => (
        <button
          key={text}
          type="button"
          className={styles['pill']}
          aria-label={`Remove ${text}`}
          onClick={() => onChange(patch)}
        >
          {text}
          <X size={13} aria-hidden="true" />
        </button>
      ))}
      {all > 1 && (
        <Button size="sm" variant="ghost" onClick={() => onChange(without(filterNames))}>
          Clear {all} filters
        </Button>
      )}
    </div>
  )
}
