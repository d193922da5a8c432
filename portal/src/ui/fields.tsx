// Form fields: each has a visible label, an optional hint and an error that a screen reader hears with it.
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './button.tsx'
import styles from './fields.module.css'
import { t } from './texts.ts'

type FieldLook = {
  label: ReactNode
  hint?: ReactNode
  error?: string
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean
  /** Says "optional" beside the label. */
  optional?: boolean
  mono?: boolean
}

type Wiring = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true; className: string }

function Field({
  look,
  className,
  children,
}: {
  look: FieldLook
  className?: string
  children: (wiring: Wiring) => ReactNode
}) {
  const id = useId()
  const { label, hint, error, hideLabel, optional, mono } = look
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  const wiring: Wiring = { id, className: classes(styles['control'], mono && styles['mono']) }
  if (described !== '') wiring['aria-describedby'] = described
  if (error !== undefined) wiring['aria-invalid'] = true
  return (
    <div className={classes(styles['field'], className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
        {optional && <span className={styles['optional']}> {t('optional')}</span>}
      </label>
      {children(wiring)}
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </span>
      )}
    </div>
  )
}

function split<Props extends FieldLook & { className?: string }>(props: Props) {
  const { label, hint, error, hideLabel, optional, mono, className, ...native } = props
  return { look: { label, hint, error, hideLabel, optional, mono }, className, native }
}

export type TextFieldProps = FieldLook & ComponentProps<'input'>
export function TextField(props: TextFieldProps) {
  const { look, className, native } = split(props)
  return (
    <Field look={look} className={className}>
      {wiring => (
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          // Words of people stand as their language does; of numbers, addresses and dates the browser knows by their type.
          dir={native.type === undefined || native.type === 'search' ? 'auto' : undefined}
          {...native}
          {...wiring}
        />
      )}
    </Field>
  )
}

export type TextAreaProps = FieldLook & ComponentProps<'textarea'>
export function TextArea(props: TextAreaProps) {
  const { look, className, native } = split(props)
  return (
    <Field look={look} className={className}>
      {wiring => <textarea dir="auto" {...native} {...wiring} />}
    </Field>
  )
}

export type Option = { value: string; label: string; disabled?: boolean }
export type SelectFieldProps = FieldLook & ComponentProps<'select'> & { options: readonly Option[] }
export function SelectField({ options, ...props }: SelectFieldProps) {
  const { look, className, native } = split(props)
  return (
    <Field look={look} className={className}>
      {wiring => (
        <span className={styles['select']}>
          <select {...native} {...wiring}>
            {options.map(option => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  )
}

export type CheckboxFieldProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode }
export function CheckboxField({ label, hint, className, ...native }: CheckboxFieldProps) {
  const id = useId()
  return (
    <div className={classes(styles['check'], className)}>
      <input id={id} type="checkbox" {...native} aria-describedby={hint === undefined ? undefined : `${id}-hint`} />
      <span>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <span id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </span>
        )}
      </span>
    </div>
  )
}

export type SegmentedControlProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: ReactNode; title?: string }[]
  value: Value
  onChange(value: Value): void
  className?: string
}
/** A few choices side by side, of which one holds; a radio group to the keyboard. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, options, value, onChange, className } = props
  const name = useId()
  return (
    <fieldset className={classes(styles['segments'], className)}>
      <legend className="visually-hidden">{label}</legend>
      {options.map(option => (
        <label key={option.value} className={styles['segment']} title={option.title}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
