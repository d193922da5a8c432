// Filters above lists. Each one is in the address under its own name; text is taken when typing rests.
import { useEffect, useRef, useState } from 'react'
import type { Params } from '../navigation/params.ts'
import { pageSearch } from '../navigation/shortcuts.ts'
import { type Option, SelectField, TextField, type TextFieldProps } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'

/** What all of a list is searched by needs no label in sight: a glass says it. */
const searchesAll = { 'data-page-search': 'all' }

type Change = (patch: Params) => void
type FilterProps = { name: string; label: string; params: Params; onChange: Change }

/** A choice; the empty value is "all". */
export function SelectFilter({
  name,
  label,
  params,
  onChange,
  all,
  options,
}: FilterProps & { all: string; options: readonly Option[] }) {
  return (
    <SelectField
      label={label}
      options={[{ value: '', label: all }, ...options]}
      value={params[name] ?? ''}
      onChange={event => onChange({ [name]: event.target.value || undefined })}
    />
  )
}

export type TextFilterProps = FilterProps &
  Pick<TextFieldProps, 'placeholder' | 'type' | 'hint' | 'error' | 'mono'> & {
    /** The field that the key / goes to. */
    pageSearch?: boolean
  }
/** Free text, taken 300 ms after the last key, or at once with Enter. */
export function TextFilter({ name, label, params, onChange, pageSearch: isSearch, ...rest }: TextFilterProps) {
  const taken = params[name] ?? ''
  const [typed, setTyped] = useState(taken)
  const last = useRef(taken)
  useEffect(() => {
    // The address changed by other means: a link, the way back, "Clear filters".
    if (taken !== last.current) setTyped(taken)
    last.current = taken
  }, [taken])
  const take = (value: string) => {
    const next = value.trim()
    if (next === last.current) return
    last.current = next
    onChange({ [name]: next === '' ? undefined : next })
  }
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed), 300)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextField
      {...rest}
      {...(isSearch ? { ...pageSearch, ...(name === 'q' && searchesAll) } : {})}
      label={label}
      value={typed}
      onChange={event => setTyped(event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter' && !isComposing(event)) take(typed)
      }}
    />
  )
}
