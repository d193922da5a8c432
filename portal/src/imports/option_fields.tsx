// What becomes of rows that are the same as records that are there, and how dates and numbers are read. What makes no difference for
// the columns that are chosen is not asked.
import type { Import } from '@tandem/sdk'
import type { Faults } from '../forms/faults.ts'
import { fieldNamed, type NounDescription } from '../nouns/noun.ts'
import { Card, CheckboxField, SelectField } from '../ui/index.ts'
import type { PartProps } from './file_card.tsx'
import styles from './imports.module.css'
import { hasKind } from './rules.ts'
import { t } from './texts.ts'

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
    <Card title={t('options')}>
      <div className={styles['form']}>
        {choice('duplicates', t('same'), [
          { value: 'skip', label: t('same.skip') },
          { value: 'update', label: t('same.update') },
          { value: 'create', label: t('same.create') },
        ])}
        {duplicates !== 'create' && <Match noun={noun} found={found} mayChange={mayChange} onChange={onChange} />}
        {duplicates === 'update' &&
          has(...listKinds) &&
          choice('lists', t('lists'), [
            { value: 'add', label: t('lists.add') },
            { value: 'replace', label: t('lists.replace') },
          ])}
        {has('date', 'moment') &&
          choice('dates', t('dates'), [
            { value: 'day_first', label: t('dates.day') },
            { value: 'month_first', label: t('dates.month') },
          ])}
        {has('money', 'integer') &&
          choice('decimal', t('numbers'), [
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
      <legend>{t('match')}</legend>
      {(noun.match ?? []).map(name => (
        <CheckboxField
          key={name}
          label={fieldNamed(noun, name)?.label ?? name}
          checked={match.includes(name)}
          disabled={!mayChange}
          onChange={event => choose(name, event.target.checked)}
        />
      ))}
      {match.length === 0 && !named && <p className={styles['faint']}>{t('matchNone')}</p>}
    </fieldset>
  )
}
