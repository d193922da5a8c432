// Filters of a list by the fields of its noun: the few of the toolbar, and a drawer with all of them. Each stands in the address.
import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import type { Params } from '../navigation/params.ts'
import { Button, Drawer, SelectField, TextField } from '../ui/index.ts'
import { useDirectory } from './names.ts'
import { type NounDescription, type NounField, upper, wordOf } from './noun.ts'
import styles from './nouns.module.css'
import { TagsFilter } from './parts.ts'
import { RecordPicker } from './pickers.ts'
import { t } from './texts.ts'
import { filteredFields } from './view_state.ts'

export type FilterProps = { noun: NounDescription; params: Params; onChange(patch: Params): void }

/** A choice of users: oneself, nobody, or one by name. */
function OwnerFilter({ field, params, onChange }: { field: NounField; params: Params; onChange(patch: Params): void }) {
  const directory = useDirectory()
  const people = (directory.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <SelectFilter
      name={field.name}
      label={field.label}
      all={t('anybody')}
      params={params}
      onChange={onChange}
      options={[{ value: 'me', label: t('me') }, { value: 'none', label: t('nobody') }, ...people]}
    />
  )
}

function ChoiceFilter({
  field,
  params,
  onChange,
}: {
  field: NounField
  params: Params
  onChange(patch: Params): void
}) {
  return (
    <SelectFilter
      name={field.name}
      label={field.label}
      all={t('all')}
      params={params}
      onChange={onChange}
      options={[
        ...(field.groups ?? []),
        ...(field.choices ?? []).map(value => ({ value, label: wordOf(field, value) })),
      ]}
    />
  )
}

function BooleanFilter({
  field: { name, label, words = { true: t('yes'), false: t('no') } },
  params,
  onChange,
}: {
  field: NounField
  params: Params
  onChange(patch: Params): void
}) {
  return (
    <SelectFilter
      name={name}
      label={label}
      all={t('either')}
      params={params}
      onChange={onChange}
      options={[
        { value: 'true', label: upper(words.true) },
        { value: 'false', label: upper(words.false) },
      ]}
    />
  )
}

/** Those that stand above every list: search, and what the noun is usually looked at by. */
export function ToolbarFilters({ noun, params, onChange }: FilterProps) {
  const facets = noun.facets.flatMap(name => noun.fields.find(field => field.name === name) ?? [])
  return (
    <>
      {noun.searched !== undefined && (
        <TextFilter
          name="q"
          label={t('search')}
          params={params}
          onChange={onChange}
          placeholder={noun.searched.slice(0, 4).join(', ')}
          pageSearch
        />
      )}
      {facets.map(field =>
        field.kind === 'user' ? (
          <OwnerFilter key={field.name} field={field} params={params} onChange={onChange} />
        ) : field.choices !== undefined ? (
          <ChoiceFilter key={field.name} field={field} params={params} onChange={onChange} />
        ) : field.kind === 'boolean' ? (
          <BooleanFilter key={field.name} field={field} params={params} onChange={onChange} />
        ) : (
          <TextFilter
            key={field.name}
            name={field.name}
            label={field.label}
            params={params}
            onChange={onChange}
            // Where nothing is searched through as a whole, the key / goes to the first.
            pageSearch={noun.searched === undefined && field === facets[0]}
          />
        ),
      )}
    </>
  )
}

/** All filters, in a drawer that opens beside the list. @param count how many of them are chosen */
export function AllFilters({ noun, params, onChange, count }: FilterProps & { count: number }) {
  const [open, setOpen] = useState(false)
  const filtered = filteredFields(noun)
  if (filtered.every(({ name }) => noun.facets.includes(name))) return null
  return (
    <>
      <Button icon={<ListFilter size={14} />} onClick={() => setOpen(true)}>
        {t('filters', { count })}
      </Button>
      <Drawer open={open} onOpenChange={setOpen} title={t('filtersTitle', { many: noun.words.many })}>
        <div className={styles['filters']}>
          {filteredFields(noun).map(field => (
            <FieldFilter key={field.name} field={field} params={params} onChange={onChange} />
          ))}
        </div>
      </Drawer>
    </>
  )
}

function FieldFilter({ field, params, onChange }: { field: NounField; params: Params; onChange(patch: Params): void }) {
  const { name, label, kind, filters = [] } = field
  const has = (suffix: string) => filters.includes(`${name}${suffix}`)
  const emptiness = has('[empty]') ? <EmptyFilter field={field} params={params} onChange={onChange} /> : null
  if (kind === 'tags') return <TagsFilter params={params} onChange={onChange} />
  if (kind === 'user') return <OwnerFilter field={field} params={params} onChange={onChange} />
  if (kind === 'choice' || kind === 'state') return <ChoiceFilter field={field} params={params} onChange={onChange} />
  if (kind === 'boolean') return <BooleanFilter field={field} params={params} onChange={onChange} />
  if (kind === 'ref' || kind === 'refs')
    return (
      <RecordPicker
        of={field.of ?? ''}
        label={label}
        none={t('any')}
        value={params[name] ?? null}
        onChange={id => onChange({ [name]: id === null ? undefined : String(id) })}
      />
    )
  if (has('[gte]')) return <Bounds field={field} params={params} onChange={onChange} />
  if (!has('') && !has('[begins]')) return emptiness
  const parameter = has('[begins]') ? `${name}[begins]` : name
  return (
    <div className={styles['pair']}>
      <TextFilter
        name={parameter}
        label={has('[begins]') ? t('begins', { field: label }) : label}
        params={params}
        onChange={onChange}
      />
      {has('[is]') && (
        <TextFilter name={`${name}[is]`} label={t('is', { field: label })} params={params} onChange={onChange} />
      )}
      {emptiness}
    </div>
  )
}

function EmptyFilter({ field, params, onChange }: { field: NounField; params: Params; onChange(patch: Params): void }) {
  return (
    <SelectFilter
      name={`${field.name}[empty]`}
      label={t('isEmpty', { field: field.label })}
      all={t('either')}
      params={params}
      onChange={onChange}
      options={[
        { value: 'false', label: t('isEmpty.false') },
        { value: 'true', label: t('isEmpty.true') },
      ]}
    />
  )
}

const inputOf: Record<string, string> = { date: 'date', moment: 'date', integer: 'number', money: 'number' }

function Bounds({ field, params, onChange }: { field: NounField; params: Params; onChange(patch: Params): void }) {
  const isTime = field.kind === 'date' || field.kind === 'moment'
  const bound = (suffix: 'gte' | 'lte', text: 'from' | 'until' | 'atLeast' | 'atMost') => {
    const name = `${field.name}[${suffix}]`
    return (
      <TextField
        label={t(`bound.${text}`, { field: field.label })}
        type={inputOf[field.kind] ?? 'text'}
        value={params[name] ?? ''}
        onChange={event => onChange({ [name]: event.target.value || undefined })}
      />
    )
  }
  return (
    <div className={styles['pair']}>
      {bound('gte', isTime ? 'from' : 'atLeast')}
      {bound('lte', isTime ? 'until' : 'atMost')}
    </div>
  )
}

/** What a list is grouped by on a board. */
export function GroupSelect({
  noun,
  value,
  onChange,
}: {
  noun: NounDescription
  value: string
  onChange(name: string): void
}) {
  const fields = noun.fields.filter(({ kind }) => kind === 'choice' || kind === 'state')
  if (fields.length < 2) return null
  return (
    <SelectField
      label={t('columnsBy')}
      options={fields.map(({ name, label }) => ({ value: name, label }))}
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  )
}
