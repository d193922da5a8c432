// Shows a secret this once. One leaves only by saying that it is stored: it cannot be shown again. Neither Escape, nor the
// way back, nor the palette, nor closing the window loses it unasked.
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { guardReloads } from '../navigation/reload_guard.ts'
import { CopyButton } from '../ui/code.tsx'
import { Button, CheckboxField, Dialog, ErrorNote } from '../ui/index.ts'
import styles from './secret_dialog.module.css'
import { t } from './texts.ts'

export type SecretDialogProps = {
  /** "The secret of Website". */
  title: string
  description: ReactNode
  secret: string
  /** Below the secret: what to do with it. */
  children?: ReactNode
  wide?: boolean
  /** Where to keep it, if not where programs do. */
  hint?: string
  onDone(): void
}
export function SecretDialog({ title, description, secret, children, wide = false, hint, onDone }: SecretDialogProps) {
  const [stored, setStored] = useState(false)
  const [held, setHeld] = useState(false)
  const latest = useRef(stored)
  latest.current = stored
  useEffect(() => guardReloads(() => (latest.current ? undefined : t('secretUnstored')), 'dialog'), [])
  useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const leaves = !stored && current.pathname !== next.pathname
      if (leaves) setHeld(true)
      return leaves
    },
    enableBeforeUnload: !stored,
  })
  return (
    <Dialog
      open
      wide={wide}
      onOpenChange={open => {
        if (open) return
        if (stored) onDone()
        else setHeld(true)
      }}
      title={title}
      description={description}
      footer={
        <Button variant="primary" disabled={!stored} onClick={onDone}>
          {t('done')}
        </Button>
      }
    >
      <div className={styles['content']}>
        <Secret secret={secret} />
        {children}
        <CheckboxField
          label={t('secretStored')}
          checked={stored}
          onChange={event => setStored(event.target.checked)}
          hint={hint ?? t('secretHint')}
        />
        {held && !stored && <ErrorNote text={t('secretHeld')} />}
      </div>
    </Dialog>
  )
}

/** A secret with the way to copy it. */
export function Secret({ secret }: { secret: string }) {
  return (
    <div className={styles['secret']}>
      <code>{secret}</code>
      <CopyButton text={secret} label={t('secretCopy')} showLabel />
    </div>
  )
}
