// The words that recipients may answer with, and what is answered, by language.
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, SelectField, TextArea, TextField } from '../ui/index.ts'
import { nameOfCode } from '../words/format.ts'
import { actions, faultOf, type LanguageValues } from './service_values.ts'
import styles from './services.module.css'
import { t } from './texts.ts'

const languages = 'en fr de es it pt nl pl sv da nb fi cs sk hu ro bg el tr ru uk ar he hi id ja ko th vi zh'.split(' ')

export const languageName = (code: string) => nameOfCode('language', code)

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
              aria-label={t('removeName', { name: languageName(entry.language) })}
              onClick={() =>
                onChange(
                  value.filter((_, at) => at !== index),
                  'keywords',
                )
              }
            >
              {t('remove')}
            </Button>
          )}
          {actions.map(action => {
            const path = `keywords[${index}].${action}`
            const put = (part: 'words' | 'reply', text: string) =>
              change(index, { ...entry, [action]: { ...entry[action], [part]: text } }, `${path}.${part}`)
            return (
              <div key={action} className={styles['keyword']}>
                <TextField
                  label={t(`words.${action}`)}
                  hint={t(`meaning.${action}`)}
                  value={entry[action].words}
                  error={faultOf(fields, `${path}.words`)}
                  onChange={event => put('words', event.target.value)}
                />
                <TextArea
                  label={t(`reply.${action}`)}
                  rows={2}
                  maxLength={480}
                  placeholder={entry[action].words.trim() === '' ? '' : t('noReply')}
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
      <AddLanguage
        left={languages.filter(code => !value.some(entry => entry.language === code))}
        onAdd={language => onChange([...value, { language, ...blank }], 'keywords')}
      />
    </div>
  )
}

function AddLanguage({ left, onAdd }: { left: readonly string[]; onAdd(language: string): void }) {
  const [next, setNext] = useState('')
  return (
    <div className={styles['addLanguage']}>
      <SelectField
        label={t('anotherLanguage')}
        options={[{ value: '', label: t('choose') }, ...left.map(code => ({ value: code, label: languageName(code) }))]}
        value={next}
        onChange={event => setNext(event.target.value)}
      />
      <Button
        icon={<Plus size={14} />}
        disabled={next === ''}
        onClick={() => {
          onAdd(next)
          setNext('')
        }}
      >
        {t('add')}
      </Button>
    </div>
  )
}
