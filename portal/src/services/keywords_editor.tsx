// The words that recipients may answer with, and what is answered, by language.
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, SelectField, TextArea, TextField } from '../ui/index.ts'
import { type Action, actions, faultOf, type LanguageValues } from './service_values.ts'
import styles from './services.module.css'

const names = new Intl.DisplayNames(undefined, { type: 'language' })
const languages = 'en fr de es it pt nl pl sv da nb fi cs sk hu ro bg el tr ru uk ar he hi id ja ko th vi zh'.split(' ')

export function languageName(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

const meanings: Record<Action, string> = {
  stop: 'Stop: nothing more is sent to them.',
  start: 'Start: they are texted again.',
  help: 'Help: is answered, at most once in ten minutes.',
}
const titles: Record<Action, string> = { stop: 'Stop', start: 'Start', help: 'Help' }

const blank: Omit<LanguageValues, 'language'> = {
  stop: { words: '', reply: '' },
  start: { words: '', reply: '' },
  help: { words: '', reply: '' },
}

export type KeywordsEditorProps = {
  value: readonly LanguageValues[]
  fields: Readonly<Record<string, string>>
  onChange(value: readonly LanguageValues[], field: string): void
}
export function KeywordsEditor({ value, fields, onChange }: KeywordsEditorProps) {
  const [next, setNext] = useState('')
  const left = languages.filter(code => !value.some(entry => entry.language === code))
  const change = (index: number, entry: LanguageValues, field: string) =>
    onChange(
      value.map((old, at) => (at === index ? entry : old)),
      field,
    )
  return (
    <div className={styles['languages']}>
      {value.map((entry, index) => (
        <fieldset key={entry.language} className={styles['language']}>
          <legend>{languageName(entry.language)}</legend>
          {value.length > 1 && (
            <Button
              size="sm"
              variant="ghost"
              icon={<Trash2 size={14} />}
              aria-label={`Take out ${languageName(entry.language)}`}
              onClick={() =>
                onChange(
                  value.filter((_, at) => at !== index),
                  'keywords',
                )
              }
            >
              Take out
            </Button>
          )}
          {actions.map(action => {
            const path = `keywords[${index}].${action}`
            const put = (part: 'words' | 'reply', text: string) =>
              change(index, { ...entry, [action]: { ...entry[action], [part]: text } }, `${path}.${part}`)
            return (
              <div key={action} className={styles['keyword']}>
                <TextField
                  label={`${titles[action]} words`}
                  hint={meanings[action]}
                  value={entry[action].words}
                  error={faultOf(fields, `${path}.words`)}
                  onChange={event => put('words', event.target.value)}
                />
                <TextArea
                  label={`${titles[action]} reply`}
                  rows={2}
                  maxLength={480}
                  placeholder="Nothing is answered"
                  value={entry[action].reply}
                  error={faultOf(fields, `${path}.reply`)}
                  onChange={event => put('reply', event.target.value)}
                />
              </div>
            )
          })}
          {fields[`keywords[${index}].language`] !== undefined && (
            <p role="alert">{fields[`keywords[${index}].language`]}</p>
          )}
        </fieldset>
      ))}
      <div className={styles['addLanguage']}>
        <SelectField
          label="Another language"
          options={[{ value: '', label: 'Choose' }, ...left.map(code => ({ value: code, label: languageName(code) }))]}
          value={next}
          onChange={event => setNext(event.target.value)}
        />
        <Button
          icon={<Plus size={14} />}
          disabled={next === ''}
          onClick={() => {
            onChange([...value, { language: next, ...blank }], 'keywords')
            setNext('')
          }}
        >
          Add
        </Button>
      </div>
    </div>
  )
}
