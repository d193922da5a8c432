// What opens above a screen: dialogs and drawers. Focus, Escape and the screen reader's view of them are
// Radix's work.
import { X } from 'lucide-react'
import { Dialog as RadixDialog } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { Button, classes, IconButton } from './button.tsx'
import { TextField } from './fields.tsx'
import styles from './overlay.module.css'
import { t } from './texts.ts'

export type DialogProps = {
  open: boolean
  onOpenChange(open: boolean): void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  wide?: boolean
  /** While it answers true, a press beside it does nothing: what was typed is not lost by a slip. */
  isHeld?(): boolean
}
export function Dialog(props: DialogProps) {
  return <Overlay {...props} className={classes(styles['dialog'], props.wide && styles['wide'])} />
}

export type DrawerProps = DialogProps & { side?: 'left' | 'right' }
/** A panel from the side of the window, for details beside what they belong to. */
export function Drawer({ side = 'right', ...props }: DrawerProps) {
  return <Overlay {...props} className={classes(styles['drawer'], side === 'left' && styles['left'])} />
}

function Overlay({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  className,
  isHeld,
}: DialogProps & { className: string }) {
  const focus = useFocusReturn(focusFirstField)
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles['overlay']} />
        <RadixDialog.Content
          className={className}
          {...focus}
          onEscapeKeyDown={event => {
            // It closes the list of choices that is open in a field; what draws the list hears it behind this.
            if (document.activeElement?.matches('[role="combobox"][aria-expanded="true"]')) event.preventDefault()
          }}
          onInteractOutside={event => {
            // A notice lies above everything: to take something back closes nothing. It may be gone by the time this is asked.
            const { target } = event
            if (isHeld?.() === true) event.preventDefault()
            if (target instanceof Element && (!target.isConnected || target.closest('[data-notices]') !== null))
              event.preventDefault()
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className={styles['head']}>
            <div>
              <RadixDialog.Title asChild>
                <h2>{title}</h2>
              </RadixDialog.Title>
              {description !== undefined && (
                <RadixDialog.Description asChild>
                  <p>{description}</p>
                </RadixDialog.Description>
              )}
            </div>
            <RadixDialog.Close asChild>
              <IconButton label={t('close')} size="sm" icon={<X size={16} />} />
            </RadixDialog.Close>
          </div>
          {children !== undefined && <div className={styles['body']}>{children}</div>}
          {footer !== undefined && <div className={styles['foot']}>{footer}</div>}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

/**
 * Brings the focus back to where it was before something opened. Radix does so for triggers of its own only, and ours open
 * by state; where the focus has gone on meanwhile (to another screen) it stays.
 */
export function useFocusReturn(onOpen?: (event: Event) => void) {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = document.activeElement
      onOpen?.(event)
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      if (document.activeElement !== null && document.activeElement !== document.body) return
      if (opener.current instanceof HTMLElement) opener.current.focus()
    },
  }
}

/** A form is for filling in: focus begins in its first field, and not at the button that closes it. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget as HTMLElement
  const field = content.querySelector<HTMLElement>('input:not([disabled]), select:not([disabled]), textarea')
  if (field === null) return
  event.preventDefault()
  field.focus()
}

export type ConfirmDialogProps = {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  /** What will happen. */
  description: ReactNode
  confirmLabel: string
  /** What the other button says, if that is not "Cancel". */
  cancelLabel?: string
  /** Must be typed before it can be confirmed, for what cannot be undone. */
  typeToConfirm?: string
  danger?: boolean
  busy?: boolean
  error?: string
  /** What it is about, in more than a sentence. */
  children?: ReactNode
  onConfirm(): void
}
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, description, confirmLabel, typeToConfirm, danger, busy, error, children } = props
  const [typed, setTyped] = useState('')
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm
  const close = (next: boolean) => {
    setTyped('')
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={() => close(false)}>{props.cancelLabel ?? t('cancel')}</Button>
          <Button variant={danger ? 'danger' : 'primary'} disabled={!ready} busy={busy} onClick={props.onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {typeToConfirm === undefined && error === undefined && children === undefined ? undefined : (
        <>
          {children}
          {typeToConfirm !== undefined && (
            <TextField
              label={t('typeToConfirm', { word: typeToConfirm })}
              value={typed}
              onChange={event => setTyped(event.target.value)}
            />
          )}
          {error !== undefined && <p role="alert">{error}</p>}
        </>
      )}
    </Dialog>
  )
}
