// The filters above the log. Those that only links set, such as an endpoint or an hour, stand below as pills to take away.

import { X } from 'lucide-react'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { type Params, without } from '../navigation/params.ts'
import { useName } from '../nouns/names.ts'
import { endpointById } from '../session/catalog.ts'
import { Button, Toolbar } from '../ui/index.ts'
import { dayText } from '../words/format.ts'
import { chosenFilters, filterNames, spans } from './log_filters.ts'
import styles from './logs.module.css'
import { t } from './texts.ts'

const statuses = ['2xx', '3xx', '4xx', '5xx', '400', '401', '403', '404', '409', '422', '429', '500', '503']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const same = (value: string) => ({ value, label: value })

type FilterBarProps = { params: Params; onChange(patch: Params): void }
export function FilterBar({ params, onChange }: FilterBarProps) {
  const wiring = { params, onChange }
  return (
    <>
      <Toolbar label={t('filters')}>
        <div className={styles['filters']}>
          <TextFilter name="path" label={t('pathStart')} placeholder={t('pathHint')} mono pageSearch {...wiring} />
          <SelectFilter name="status" label={t('status')} all={t('all')} options={statuses.map(same)} {...wiring} />
          <SelectFilter name="method" label={t('method')} all={t('all')} options={methods.map(same)} {...wiring} />
          <SelectFilter
            name="source"
            label={t('source')}
            all={t('usualSources')}
            options={[
              { value: 'api', label: t('sourceApi') },
              { value: 'playground', label: t('sourcePlayground') },
              { value: 'portal', label: t('sourcePortal') },
              { value: 'all', label: t('all') },
            ]}
            {...wiring}
          />
          <SelectFilter
            name="since"
            label={t('time')}
            all={t('sevenDays')}
            options={spans.map(({ value }) => ({ value, label: t(`span.${value}`) }))}
            params={params}
            onChange={patch => onChange({ ...patch, createdAfter: undefined, createdBefore: undefined })}
          />
          <TextFilter name="problem" label={t('errorCode')} placeholder={t('codeHint')} mono {...wiring} />
          <TextFilter name="keyId" label={t('keyId')} placeholder={t('keyHint')} mono {...wiring} />
          <TextFilter name="resourceId" label={t('aboutTerm')} placeholder={t('resourceHint')} mono {...wiring} />
        </div>
      </Toolbar>
      <Pills params={params} onChange={onChange} />
    </>
  )
}

const momentFormat = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const moment = (iso: string) => (Number.isNaN(Date.parse(iso)) ? iso : dayText(new Date(iso), momentFormat))

function timePill(after: string | undefined, before: string | undefined): string {
  if (after === undefined) return t('pill.before', { before: moment(before ?? '') })
  if (before === undefined) return t('pill.since', { after: moment(after) })
  return t('pill.between', { after: moment(after), before: moment(before) })
}

function Pills({ params, onChange }: FilterBarProps) {
  const { endpointId, userId, createdAfter: after, createdBefore: before } = params
  const userName = useName('user', /^\d{1,9}$/.test(userId ?? '') ? Number(userId) : null)
  const pills: [text: string, patch: Params][] = []
  if (endpointId) {
    const name = endpointById(endpointId)?.name ?? endpointId
    pills.push([t('pill.endpoint', { name }), { endpointId: undefined }])
  }
  if (userId) pills.push([t('pill.user', { name: userName ?? userId }), { userId: undefined }])
  if (after || before) pills.push([timePill(after, before), { createdAfter: undefined, createdBefore: undefined }])
  const all = Object.keys(chosenFilters(params)).length
  if (pills.length === 0 && all < 2) return null
  return (
    <div className={styles['pills']}>
      {pills.map(([text, patch]) => (
        <button
          key={text}
          type="button"
          className={styles['pill']}
          aria-label={t('removePill', { text })}
          onClick={() => onChange(patch)}
        >
          {text}
          <X size={13} aria-hidden="true" />
        </button>
      ))}
      {all > 1 && (
        <Button size="sm" variant="ghost" onClick={() => onChange(without(filterNames))}>
          {t('clearFilters', { count: all })}
        </Button>
      )}
    </div>
  )
}
