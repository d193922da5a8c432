// Forms that the server checks: their fields with what it found wrong in each, and the dialog most of them stand in.
import { useBlocker } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import record from '../data/record.module.css'
import { guardReloads } from '../navigation/reload_guard.ts'
import { Button, ConfirmDialog, Dialog, type DialogProps, ErrorNote } from '../ui/index.ts'
import { type SayFault, useFormFaults } from './faults.ts'
import { t } from './texts.ts'
import { useTypedGuard } from './typed_guard.ts'

/** What `useFormDraft` gives, or state: `{ values, change: setValues }`. */
export type FormState<Values> = { values: Values; change(next: (old: Values) => Values): void }

type TextNames<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string

/**
 * `useFormFaults` for a form whose values are in one place.
 * @returns its values and faults; `put`, which changes a value and mends its field; and `text`, which makes the props of a
 * field of text. Both take the server's name of the field, where that is another.
 */
export function useFormFields<Values>(
  { values, change }: FormState<Values>,
  error: unknown,
  shown: readonly string[],
  say?: SayFault,
) {
  const faults = useFormFaults(error, shown, say)
  const put = <Name extends keyof Values & string>(name: Name, value: Values[Name], field: string = name) => {
    faults.mend(field)
    change(old => ({ ...old, [name]: value }))
  }
  const text = (name: TextNames<Values>, field: string = name) => ({
    name,
    value: values[name] as string,
    error: faults.fields[field],
    onChange: ({ target }: { target: { value: string } }) => put(name, target.value as Values[typeof name], field),
  })
  return { ...faults, values, put, text }
}

export type FormFields<Values> = ReturnType<typeof useFormFields<Values>>

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit(): void }

/** A form that is sent by us, and checked by the server and not by the browser. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      noValidate
      {...rest}
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

export type FormDialogProps = Pick<DialogProps, 'title' | 'description' | 'wide' | 'children'> & {
  /** As `useFormFaults` and `useFormFields` give them. */
  faults: { form?: RefObject<HTMLFormElement | null>; general?: string | undefined }
  /** Lays out the fields. */
  className?: string | undefined
  /** What the button that sends it says, and the one that does not, if that is not "Cancel". */
  action: string
  cancel?: string
  busy: boolean
  disabled?: boolean
  /** What is typed outlives the dialog (`useFormDraft`): it closes unasked. */
  kept?: boolean
  /** What it does cannot be taken back. */
  danger?: boolean
  /** Before and after "Cancel". */
  aside?: ReactNode
  other?: ReactNode
  onSubmit(): void
  onClose(): void
}
export function FormDialog(props: FormDialogProps) {
  const {
    faults,
    className,
    action,
    cancel = t('cancel'),
    busy,
    disabled,
    danger = false,
    kept = false,
    aside,
    other,
    onSubmit,
    onClose,
    children,
    ...dialog
  } = props
  const { form, general } = faults
  const id = useId()
  const { watch, isHeld, question, ask } = useHeldForm({ kept, busy, onClose })
  return (
    <Dialog
      open
      onOpenChange={open => !open && ask()}
      isHeld={isHeld}
      {...dialog}
      footer={
        <>
          {aside}
          <Button onClick={onClose}>{cancel}</Button>
          {other}
          <Button variant={danger ? 'danger' : 'primary'} type="submit" form={id} busy={busy} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={id} ref={form} className={className} onSubmit={onSubmit} {...watch}>
        {general !== undefined && (
          <div className={record['wide']}>
            <ErrorNote text={general} />
          </div>
        )}
        {children}
      </Form>
      {question}
    </Dialog>
  )
}

type HeldOptions = Required<Pick<FormDialogProps, 'kept' | 'busy' | 'onClose'>>

/** Loses nothing typed unasked: neither by Escape or the closing button, nor by the way back, the palette or leaving the page. */
function useHeldForm({ kept, busy, onClose }: HeldOptions) {
  const { watch, isChanged } = useTypedGuard()
  const [isAsking, setAsking] = useState(false)
  const isHeld = () => !kept && isChanged()
  const latest = useRef(isHeld)
  latest.current = isHeld
  useEffect(() => guardReloads(() => (latest.current() ? t('typed') : undefined), 'dialog'), [])
  useBlocker({
    // Links and what follows a sending go on; who goes back wants to leave the dialog.
    shouldBlockFn({ action }) {
      const blocks = !busy && (action === 'BACK' || action === 'GO') && isHeld()
      if (blocks) setAsking(true)
      return blocks
    },
    enableBeforeUnload: isHeld,
  })
  const question = (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={setAsking}
      title={t('discardTitle')}
      description={t('discardText')}
      confirmLabel={t('discardDo')}
      cancelLabel={t('discardNot')}
      danger
      onConfirm={() => {
        setAsking(false)
        onClose()
      }}
    />
  )
  return { watch, isHeld, question, ask: () => (isHeld() ? setAsking(true) : onClose()) }
}
