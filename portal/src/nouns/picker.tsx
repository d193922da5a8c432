// Chooses a record of a noun, or a user, by name: what is typed is searched for by the server.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useRested } from '../forms/rested.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Combobox, type ComboboxOption, type ComboboxProps } from '../ui/combobox.tsx'
import { knownNoun } from './known.ts'
import { methodsOf } from './methods.ts'
import { keepNames, useDirectory, useName } from './names.ts'
import { foundFor, knownFor, minSearched, noneValue } from './pickable.ts'
import { t } from './texts.ts'

export type PickerProps = {
  /** The noun, or `user`. */
  of: string
  label: string
  hideLabel?: boolean
  value: string | number | null
  onChange(id: string | number | null): void
  /** What choosing none is called. */
  none?: string
  error?: string | undefined
  hint?: string | undefined
  className?: string | undefined
}

export function RecordPicker(props: PickerProps) {
  return props.of === 'user' ? <UserPicker {...props} /> : <NounPicker {...props} />
}

type OptionsOf = Pick<ComboboxProps, 'options' | 'onTyped'> & {
  isLoading: boolean
  filter: NonNullable<ComboboxProps['filter']>
}

function Picker({
  label,
  hideLabel,
  value,
  onChange,
  none,
  error,
  hint,
  className,
  options,
  ...more
}: PickerProps & OptionsOf) {
  const all = none === undefined ? options : [{ value: noneValue, label: none }, ...options]
  return (
    <Combobox
      label={label}
      {...(hideLabel === true && { hideLabel })}
      {...(error !== undefined && { error })}
      {...(hint !== undefined && { hint })}
      {...(className !== undefined && { className })}
      isLoading={more.isLoading}
      options={all}
      value={value === null ? noneValue : String(value)}
      onChange={chosen => onChange(chosen === noneValue || chosen === '' ? null : chosen)}
      placeholder={t('pickName')}
      filter={more.filter}
      {...(more.onTyped && { onTyped: more.onTyped })}
    />
  )
}

function UserPicker(props: PickerProps) {
  const { user } = useSession()
  const directory = useDirectory()
  const active = (directory.data ?? []).filter(({ id, active: isActive }) => isActive || id === props.value)
  const options = active.map(({ id, name, active: isActive }) => ({
    value: String(id),
    label: name,
    ...(id === user.id ? { hint: t('pickYou') } : isActive ? {} : { hint: t('pickDisabled') }),
  }))
  return (
    <Picker
      {...props}
      onChange={id => props.onChange(id === null ? null : Number(id))}
      options={options}
      isLoading={directory.isPending}
      filter={knownFor}
    />
  )
}

/** Typing rests for so long before the server is asked. */
const restMs = 200
const maxOptions = 20
const noOptions: readonly ComboboxOption[] = []

function NounPicker(props: PickerProps) {
  const { of, value } = props
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const noun = knownNoun(of)
  const [typed, setTyped] = useState('')
  const asked = useRested(typed.trim(), restMs)
  const current = useName(of, value)
  const found = useQuery({
    queryKey: [mode, 'choices of', of, asked],
    queryFn: async ({ signal }) => {
      const { many = '', title = 'name' } = noun ?? {}
      const query = {
        limit: maxOptions,
        fields: title,
        ...(asked.length >= minSearched ? { q: asked } : { sort: '-updated_at' }),
      }
      const reply = await methodsOf(api, many).list(query, { signal })
      const records = (reply[many] ?? []) as Record<string, unknown>[]
      const names = records.map(record => [String(record['id']), { title: String(record[title]) }])
      keepNames(cache, mode, { [of]: Object.fromEntries(names) as Record<string, { title: string }> })
      return records.map(record => ({ value: String(record['id']), label: String(record[title]) }))
    },
    staleTime: 10_000,
  })
  const options = found.data ?? noOptions
  const own = value === null || options.some(option => option.value === String(value))
  const shown = own ? options : [{ value: String(value), label: current ?? '…' }, ...options]
  const filter = useMemo(() => {
    const values = new Set(options.map(option => option.value))
    return (all: readonly ComboboxOption[], text: string) => foundFor(all, text, values)
  }, [options])
  return (
    <Picker
      {...props}
      options={shown}
      isLoading={found.isPending || asked !== typed.trim()}
      onTyped={setTyped}
      filter={filter}
    />
  )
}
