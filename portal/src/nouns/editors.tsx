// Fields of forms, by kind: one control for each, with what the server found wrong in it below.
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button, CheckboxField, IconButton, SelectField, TextArea, TextField } from '../ui/index.ts'
import { type EntryDraft, emptyAddress, isList, type MoneyDraft } from './drafts.ts'
import { type Address, type NounField, upper, within, wordOf } from './noun.ts'
import styles from './nouns.module.css'
import { RecordPicker } from './pickers.ts'
import { t } from './texts.ts'

export type EditorProps = {
  field: NounField
  draft: unknown
  onChange(draft: unknown): void
  error?: string | undefined
  className?: string | undefined
  hideLabel?: boolean
}

const inputTypes: Record<string, string> = { email: 'email', phone: 'tel', date: 'date', moment: 'datetime-local' }

/** Fields that take the width of a form. */
export const isWide = (field: NounField) => field.kind === 'long_text' || isList(field)

export function FieldEditor(props: EditorProps): ReactNode {
  const { field, draft, onChange, error, className, hideLabel } = props
  const common = {
    label: field.label,
    ...(error !== undefined && { error }),
    ...(className !== undefined && { className }),
    ...(hideLabel === true && { hideLabel }),
  }
  if (isList(field)) return <EntriesEditor {...props} />
  const optional = field.required === true || hideLabel === true ? {} : { optional: true }
  switch (field.kind) {
    case 'long_text':
      return (
        <TextArea
          {...common}
          {...optional}
          rows={4}
          value={String(draft)}
          onChange={event => onChange(event.target.value)}
        />
      )
    case 'choice':
    case 'state':
      return (
        <SelectField
          {...common}
          {...optional}
          options={[
            ...(field.required === true ? [] : [{ value: '', label: t('none') }]),
            ...(field.choices ?? []).map(value => ({ value, label: wordOf(field, value) })),
          ]}
          value={String(draft)}
          onChange={event => onChange(event.target.value)}
        />
      )
    case 'boolean':
      return (
        <CheckboxField
          label={field.label}
          hint={error ?? field.about}
          checked={draft === true}
          onChange={event => onChange(event.target.checked)}
          {...(className !== undefined && { className })}
        />
      )
    case 'money':
      return <MoneyEditor {...props} />
    case 'user':
    case 'ref':
      return (
        <RecordPicker
          {...common}
          of={field.of ?? 'user'}
          {...(field.required !== true && { none: field.kind === 'user' ? t('nobody') : t('none') })}
          value={draft as string | number | null}
          onChange={onChange}
        />
      )
    default:
      return (
        <TextField
          {...common}
          {...optional}
          type={inputTypes[field.kind] ?? 'text'}
          {...(field.kind === 'integer' && { inputMode: 'numeric' as const })}
          {...(field.required === true && { required: true })}
          value={String(draft)}
          onChange={event => onChange(event.target.value)}
        />
      )
  }
}

function MoneyEditor({ field, draft, onChange, error, className, hideLabel }: EditorProps) {
  const money = draft as MoneyDraft
  return (
    <div className={className ? `${styles['money']} ${className}` : styles['money']}>
      <TextField
        label={field.label}
        {...(hideLabel === true ? { hideLabel } : field.required === true ? {} : { optional: true })}
        {...(error !== undefined && { error })}
        inputMode="decimal"
        value={money.amount}
        onChange={event => onChange({ ...money, amount: event.target.value })}
      />
      <TextField
        label={t('currency')}
        {...(hideLabel === true && { hideLabel })}
        placeholder={t('currencyUsual')}
        maxLength={3}
        aria-label={t('currencyOf', { field: within(field.label) })}
        value={money.currency}
        onChange={event => onChange({ ...money, currency: event.target.value })}
      />
    </div>
  )
}

type ListKind = 'emails' | 'phones' | 'addresses' | 'refs'

/** An entry as it is called: "Email 2". */
function entryName({ kind, of = '' }: NounField, number: number): string {
  return kind === 'refs'
    ? t('entry.refs', { one: t.of('refs', of) ?? upper(of), number })
    : t(`entry.${kind as 'emails'}`, { number })
}

function addText({ kind, of = '' }: NounField): string {
  return kind === 'refs'
    ? (t.of('addRefs', of) ?? t('add.refs', { one: of }))
    : t(`add.${kind as Exclude<ListKind, 'refs'>}`)
}

/** A list of which one entry is the primary: each with a word for what it is for. */
function EntriesEditor({ field, draft, onChange, error, className }: EditorProps) {
  const entries = draft as EntryDraft[]
  const name = useId()
  const change = (at: number, patch: Partial<EntryDraft>) =>
    onChange(entries.map((entry, index) => (index === at ? { ...entry, ...patch } : entry)))
  const add = () =>
    onChange([
      ...entries,
      {
        value: field.kind === 'addresses' ? emptyAddress : field.kind === 'refs' ? null : '',
        label: '',
        is_primary: entries.length === 0,
      },
    ])
  const remove = (at: number) => {
    const rest = entries.filter((_, index) => index !== at)
    onChange(
      rest.some(entry => entry.is_primary) ? rest : rest.map((entry, index) => ({ ...entry, is_primary: index === 0 })),
    )
  }
  return (
    <fieldset className={className ? `${styles['list']} ${className}` : styles['list']}>
      <legend>{field.label}</legend>
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name while they are typed
        <div key={at} className={styles['entry']}>
          <EntryValue
            field={field}
            name={entryName(field, at + 1)}
            entry={entry}
            onChange={value => change(at, { value })}
          />
          <TextField
            label={t('entryFor')}
            aria-label={t('entryForNamed', { entry: within(entryName(field, at + 1)) })}
            placeholder={t('entryForExample')}
            value={entry.label}
            onChange={event => change(at, { label: event.target.value })}
          />
          {entries.length > 1 && (
            <label className={styles['primary']}>
              <input
                type="radio"
                name={name}
                checked={entry.is_primary}
                onChange={() => onChange(entries.map((other, index) => ({ ...other, is_primary: index === at })))}
              />
              {t('primary')}
            </label>
          )}
          <IconButton
            label={t('removeNamed', { name: within(entryName(field, at + 1)) })}
            icon={<Trash2 size={14} />}
            onClick={() => remove(at)}
          />
        </div>
      ))}
      <div>
        <Button size="sm" icon={<Plus size={14} />} onClick={add}>
          {addText(field)}
        </Button>
      </div>
      {error !== undefined && (
        <p className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type EntryValueProps = { field: NounField; name: string; entry: EntryDraft; onChange(value: unknown): void }

function EntryValue({ field, name: label, entry, onChange }: EntryValueProps) {
  if (field.kind === 'refs')
    return <RecordPicker of={field.of ?? ''} label={label} value={entry.value as string | null} onChange={onChange} />
  if (field.kind === 'addresses')
    return <AddressEditor entry={label} address={entry.value as Address} onChange={onChange} />
  return (
    <TextField
      label={label}
      type={field.kind === 'emails' ? 'email' : 'tel'}
      value={String(entry.value)}
      onChange={event => onChange(event.target.value)}
    />
  )
}

const addressParts = ['street', 'postal_code', 'city', 'region', 'country'] as const

const exampleCountry = 'DE'

function AddressEditor({
  entry,
  address,
  onChange,
}: {
  entry: string
  address: Address
  onChange(value: Address): void
}) {
  return (
    <div className={styles['address']}>
      {addressParts.map(name => (
        <TextField
          key={name}
          label={t(`address.${name}`)}
          aria-label={t('addressPart', { part: t(`address.${name}`), entry: within(entry) })}
          {...(name === 'country' && { placeholder: exampleCountry, maxLength: 2 })}
          value={address[name] ?? ''}
          onChange={({ target }) => {
            const text = name === 'country' ? target.value.toUpperCase() : target.value
            onChange({ ...address, [name]: text === '' ? null : text })
          }}
        />
      ))}
    </div>
  )
}
