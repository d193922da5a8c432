// Which events a webhook hears of: all, or types and whole groups ticked in a list that can be searched.
import { useState } from 'react'
import { CheckboxField, ErrorState, LoadingRows, SegmentedControl, TextField } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import { type EventGroup, useEventGroups } from './event_types.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

export type EventTypePickerProps = {
  /** "Events"; names the choice and its list. */
  label: string
  /** Null is all. */
  value: readonly string[] | null
  error: string | undefined
  onChange(value: readonly string[] | null): void
}
export function EventTypePicker({ label, value, error, onChange }: EventTypePickerProps) {
  // What was ticked is kept while "All events" is looked at.
  const [ticked, setTicked] = useState<readonly string[]>(value ?? [])
  const tick = (next: readonly string[]) => {
    setTicked(next)
    onChange(next)
  }
  return (
    <div className={styles['picker']}>
      <span className={styles['label']} aria-hidden="true">
        {label}
      </span>
      <SegmentedControl<'all' | 'some'>
        label={label}
        value={value === null ? 'all' : 'some'}
        onChange={next => onChange(next === 'all' ? null : ticked)}
        options={[
          { value: 'all', label: t('allEvents') },
          { value: 'some', label: t('onlyThese') },
        ]}
      />
      {value === null ? (
        <span className={styles['hint']}>{t('allEventsHint')}</span>
      ) : (
        <Checklist value={value} error={error} onChange={tick} />
      )}
    </div>
  )
}

type GroupProps = { value: readonly string[]; onChange(value: readonly string[]): void }

/** Groups with the types that contain every word typed, in their name or in their description. */
function found(groups: readonly EventGroup[], typed: string): EventGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return groups.flatMap(group => {
    const types = group.types.filter(({ type, description }) => {
      const text = `${type} ${group.name} ${description}`.toLowerCase()
      return words.every(word => text.includes(word))
    })
    return types.length === 0 ? [] : [{ ...group, types }]
  })
}

function Checklist({ value, error, onChange }: GroupProps & { error: string | undefined }) {
  const query = useEventGroups()
  const [typed, setTyped] = useState('')
  if (query.isPending) return <LoadingRows label={t('loadingTypes')} rows={4} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const groups = found(query.data, typed)
  return (
    <fieldset className={styles['checklist']}>
      <legend className="visually-hidden">{t('eventTypes')}</legend>
      <div className={styles['checklistHead']}>
        <TextField
          label={t('searchTypes')}
          hideLabel
          type="search"
          placeholder={t('searchTypesHint')}
          value={typed}
          error={error}
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => {
            // Enter would send the form around it.
            if (event.key === 'Enter' && !isComposing(event)) event.preventDefault()
          }}
        />
        <span role="status">{t('chosen', { count: value.length })}</span>
      </div>
      <div className={styles['groups']}>
        {groups.map(group => (
          <Group key={group.noun} group={group} value={value} onChange={onChange} />
        ))}
        {groups.length === 0 && <p className={styles['hint']}>{t('noType')}</p>}
      </div>
    </fieldset>
  )
}

function Group({ group, value, onChange }: GroupProps & { group: EventGroup }) {
  const { noun, name, types } = group
  const all = `${noun}.*`
  const hasAll = value.includes(all)
  const change = (type: string, on: boolean) => {
    // All of a group holds its types already: ticked besides, they would say nothing.
    const kept = value.filter(one => one !== type && !(type === all && one.startsWith(`${noun}.`)))
    onChange(on ? [...kept, type] : kept)
  }
  return (
    <div className={styles['group']}>
      <CheckboxField
        className={styles['all']}
        label={
          <>
            <strong>{t('allOf', { name })}</strong> <code>{all}</code>
          </>
        }
        checked={hasAll}
        onChange={event => change(all, event.target.checked)}
      />
      {types.map(({ type, description }) => (
        <CheckboxField
          key={type}
          label={<code>{type}</code>}
          hint={description}
          checked={hasAll || value.includes(type)}
          disabled={hasAll}
          onChange={event => change(type, event.target.checked)}
        />
      ))}
    </div>
  )
}
