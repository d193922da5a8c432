// The way to a request: category, then endpoint, then method. A method the path does not document may be chosen too.

import { Play } from 'lucide-react'
import { useMemo } from 'react'
import { byCategory, endpoints, preloadEndpoint } from '../../session/catalog.ts'
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx'
import { classes, SelectField, TextLink } from '../../ui/index.ts'
import { listText } from '../../words/format.ts'
import { useLanguage } from '../../words/language.ts'
import { methods } from '../request/request.ts'
import type { DraftState } from '../state/use_draft.ts'
import styles from './picker.module.css'
import { t } from './texts.ts'

const groups = byCategory()
/** No category is called so. */
const OTHER = ''

/** The first path of a category, and the method that leads it. */
function firstOf(category: string) {
  return groups.find(([name]) => name === category)?.[1][0]
}

export function Picker({ draft }: { draft: DraftState }) {
  const { method, path } = draft.draft
  const here = endpoints.filter(entry => entry.path === path)
  const category = (draft.entry ?? here[0])?.category ?? OTHER
  const categories = [...groups.map(([name]) => name), ...(category === OTHER ? [OTHER] : [])]
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: one of them is said in words
  const options = useMemo(() => pathOptions(category, path), [category, path, language])
  const shown = (methods as readonly string[]).includes(method) ? methods : [...methods, method]
  const openPath = (next: string) => {
    const entries = endpoints.filter(entry => entry.path === next)
    const same = entries.find(entry => entry.method === method) ?? entries[0]
    if (next !== path && same !== undefined) void draft.open(same.method, next)
  }
  return (
    <div className={styles['picker']}>
      <SelectField
        className={styles['category']}
        label={t('category')}
        hideLabel
        value={category}
        options={categories.map(name => ({ value: name, label: name === OTHER ? t('otherCategory') : name }))}
        onChange={event => {
          const first = firstOf(event.target.value)
          if (first !== undefined) void draft.open(first.method, first.path)
        }}
      />
      <Combobox
        className={styles['endpoint']}
        label={t('endpoint')}
        hideLabel
        options={options}
        value={path}
        onChange={openPath}
        placeholder={t('endpointHint')}
      />
      <fieldset className={styles['methods']}>
        <legend className="visually-hidden">{t('method')}</legend>
        {shown.map(name => {
          const entry = here.find(each => each.method === name)
          return (
            <label
              key={name}
              className={classes(
                styles['method'],
                styles[name.toLowerCase()],
                entry === undefined && styles['undocumented'],
              )}
              title={entry?.name ?? t('methodUndocumented', { method: name })}
              onPointerEnter={() => entry !== undefined && preloadEndpoint(entry.id)}
            >
              <input
                type="radio"
                name="playground-method"
                value={name}
                checked={name === method}
                onChange={() => void draft.open(name, path)}
              />
              {name}
            </label>
          )
        })}
      </fieldset>
      <EndpointLine draft={draft} />
    </div>
  )
}

/** One choice a path, found by the names of all its endpoints. */
function pathOptions(category: string, current: string): ComboboxOption[] {
  const own = groups.find(([name]) => name === category)?.[1] ?? []
  const rest = endpoints.filter(entry => entry.category !== category)
  const paths = [...new Set([...own, ...rest].map(entry => entry.path))]
  const options = paths.map(path => {
    const entries = endpoints.filter(entry => entry.path === path)
    return {
      value: path,
      label: path,
      hint: entries.map(entry => entry.method).join(' '),
      group: entries[0]?.category,
      keywords: entries.map(entry => `${entry.name} ${entry.method} ${entry.id} ${entry.category}`).join(' '),
    }
  })
  return paths.includes(current) ? options : [{ value: current, label: current, hint: t('notInCatalog') }, ...options]
}

function EndpointLine({ draft }: { draft: DraftState }) {
  const { entry, endpoint } = draft
  const { method, path } = draft.draft
  if (entry === undefined) {
    const documented = endpoints.filter(each => each.path === path).map(each => each.method)
    return (
      <p className={styles['line']}>
        <Play size={13} aria-hidden="true" />
        {documented.length === 0
          ? t('pathUndocumented')
          : t('methodUndocumentedText', { method, documented: listText(documented) })}
      </p>
    )
  }
  const [, , version = '', category = '', slug = ''] = (endpoint?.address ?? '').split('/')
  return (
    <p className={styles['line']}>
      <b>{entry.name}</b>
      <span className={styles['summary']}>{entry.summary}</span>
      {endpoint !== undefined && (
        <TextLink to="/explorer/$version/$category/$slug" params={{ version, category, slug }}>
          {t('reference')}
        </TextLink>
      )}
    </p>
  )
}
