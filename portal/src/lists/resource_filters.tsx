// The filters above a list of a v2 resource, as it declares them.
import { useState } from 'react'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import type { Params } from '../navigation/params.ts'
import { startOfDay } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { Button, type Option, stateText } from '../ui/index.ts'
import type { ListFilter } from './resource.ts'
import { t } from './texts.ts'

export type ResourceFiltersProps<Item> = {
  filters: readonly ListFilter<Item>[]
  params: Params
  onChange(patch: Params): void
}

export function ResourceFilters<Item>({ filters, params, onChange }: ResourceFiltersProps<Item>) {
  const { mode } = useSession()
  const offered = filters.filter(filter => (filter.mode ?? mode) === mode)
  const isChosen = offered.some(({ more, name }) => more === true && params[name] !== undefined)
  const [opened, setOpened] = useState(isChosen)
  const isOpen = opened || isChosen || !offered.some(({ more }) => more)
  const searched = offered.find(filter => !isChoice(filter))
  return (
    <>
      {offered
        .filter(({ more }) => isOpen || more !== true)
        .map(filter => {
          const shared = { name: filter.name, label: filter.label, params, onChange }
          if (isChoice(filter)) return <Choice key={filter.name} {...shared} filter={filter} />
          return (
            <TextFilter
              key={filter.name}
              {...shared}
              {...(filter.kind === 'day' ? { type: 'date' } : { placeholder: filter.placeholder })}
              pageSearch={filter === searched}
            />
          )
        })}
      {!isOpen && <Button onClick={() => setOpened(true)}>{t('moreFilters')}</Button>}
    </>
  )
}

const isChoice = <Item,>({ options, useOptions }: ListFilter<Item>) => options !== undefined || useOptions !== undefined
const useNone = (): readonly Option[] => []

type ChoiceProps<Item> = Omit<ResourceFiltersProps<Item>, 'filters'> & {
  filter: ListFilter<Item>
  name: string
  label: string
}
/** With the one that the address names, which may be gone or not read yet. */
function Choice<Item>({ filter: { all = t('all'), options = [], useOptions = useNone }, ...rest }: ChoiceProps<Item>) {
  const chosen = rest.params[rest.name]
  const known = [...options, ...useOptions()].map(one =>
    typeof one === 'string' ? { value: one, label: stateText(one) } : one,
  )
  const isKnown = chosen === undefined || known.some(({ value }) => value === chosen)
  return <SelectFilter {...rest} all={all} options={isKnown ? known : [...known, { value: chosen, label: chosen }]} />
}

/** What the API is asked for a list that is filtered so. */
export function askedOf<Item>(filters: readonly ListFilter<Item>[], chosen: Params): Record<string, unknown> {
  const parts = filters.map(({ name, kind, asked }) => {
    const value = chosen[name]
    if (asked !== undefined) return asked(value)
    return value === undefined ? {} : { [name]: kind === 'day' ? startOfDay(value) : value }
  })
  return Object.assign({}, ...parts)
}

const digitsOf = (text: unknown) => String(text).replace(/[^\da-z+]/gi, '')

/** Whether a new record belongs into a list that is filtered so. */
export function fitsAll<Item>(filters: readonly ListFilter<Item>[], chosen: Params, item: Item): boolean {
  return filters.every(({ name, kind, of, fits, fitsUnchosen }) => {
    const wanted = chosen[name]
    if (wanted === undefined) return fitsUnchosen?.(item) ?? true
    if (kind === 'day') return true
    if (fits !== undefined) return fits(item, wanted)
    const value = of === undefined ? (item as Readonly<Record<string, unknown>>)[name] : of(item)
    return kind === 'number' ? digitsOf(wanted) === digitsOf(value) : wanted === value
  })
}
