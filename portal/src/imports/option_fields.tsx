// What becomes of rows that are the same as records that are there, and how dates and numbers are read. What makes no difference for
// the columns that are chosen is not asked.
import type { Import } from '@tandem/sdk'
import type { Faults } from '../forms/faults.ts'
import { aOne, fieldNamed, type NounDescription } from '../nouns/noun.ts'
import { Card, CheckboxField, SelectField } from '../ui/index.ts'
import type { PartProps } from './file_card.tsx'
import styles from './imports.module.css'
import { hasKind } from './rules.ts'

const listKinds = ['emails', 'phones', 'addresses', 'refs']

type OptionProps = PartProps & { noun: NounDescription; faults: Faults }

export function OptionFields({ noun, found, mayChange, onChange }: OptionProps) {
  const { mapping, duplicates } = found
  const has = (...kinds: string[]) => hasKind(noun, mapping, kinds)
  const choice = <Name extends 'duplicates' | 'lists' | 'dates' | 'decimal'>(
    name: Name,
    label: string,
    options: readonly { value: Import[Name]; label: string }[],
  ) => (
    <SelectField
      label={label}
      options={options}
      value={found[name]}
      disabled={!mayChange}
      onChange={event => onChange({ [name]: event.target.value })}
    />
  )
  return (
    <Card title="Duplicates and reading">
      <div className={styles['form']}>
        {choice('duplicates', `A row that is the same as ${aOne(noun)}`, [
          { value: 'skip', label: 'Leave the row out' },
          { value: 'update', label: `Update the ${noun.words.one}` },
          { value: 'create', label: 'Create one more' },
        ])}
        {duplicates !== 'create' && <Match noun={noun} found={found} mayChange={mayChange} onChange={onChange} />}
        {duplicates === 'update' &&
          has(...listKinds) &&
          choice('lists', 'Lists, such as of addresses', [
            { value: 'add', label: 'Add to those that are there' },
            { value: 'replace', label: 'Replace those that are there' },
          ])}
        {has('date', 'moment') &&
          choice('dates', 'Dates such as 03/04/2026', [
            { value: 'day_first', label: 'The day first: 3 April' },
            { value: 'month_first', label: 'The month first: March 4' },
          ])}
        {has('money', 'integer') &&
          choice('decimal', 'Numbers', [
            { value: '.', label: '1,234.50' },
            { value: ',', label: '1.234,50' },
          ])}
      </div>
    </Card>
  )
}

function Match({ noun, found, mayChange, onChange }: PartProps & { noun: NounDescription }) {
  const { match, mapping } = found
  const named = mapping.includes('id')
  const choose = (name: string, on: boolean) =>
    onChange({ match: (noun.match ?? []).filter(one => (one === name ? on : match.includes(one))) })
  return (
    <fieldset className={styles['match']}>
      <legend>It is the same when it has the same</legend>
      {(noun.match ?? []).map(name => (
        <CheckboxField
          key={name}
          label={fieldNamed(noun, name)?.label ?? name}
          checked={match.includes(name)}
          disabled={!mayChange}
          onChange={event => choose(name, event.target.checked)}
        />
      ))}
      {match.length === 0 && !named && (
        <p className={styles['faint']}>Without any, no row is the same as a record: each creates one.</p>
      )}
    </fieldset>
  )
}
