// Short notices at the corner of the window. They are spoken by screen readers, stay while pointed at or focused, and may
// carry one action, such as Undo.
import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLanguage } from '../words/language.ts'
import { Button, classes, IconButton } from './button.tsx'
import { t } from './texts.ts'
import styles from './toast.module.css'

export type ToastOptions = {
  text: string
  tone?: 'ok' | 'bad'
  action?: { label: string; onSelect(): void }
  /** Milliseconds it stays; 6 s when not said, 12 s with an action. */
  stayMs?: number
}
type Shown = ToastOptions & { id: number }

let shown: readonly Shown[] = []
let nextId = 1
const listeners = new Set<() => void>()

function change(next: readonly Shown[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a notice; at most four stand at once. */
export function toast(options: ToastOptions): void {
  change([...shown.slice(-3), { ...options, id: nextId++ }])
}

/** The same as a hook, for components. */
export function useToast(): (options: ToastOptions) => void {
  return toast
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where notices appear; stands once in the shell. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  useLanguage()
  return (
    <section
      className={styles['region']}
      data-notices=""
      aria-label={t('notices')}
      aria-live="polite"
      aria-atomic="false"
    >
      {toasts.map(item => (
        <ToastItem key={item.id} item={item} />
      ))}
    </section>
  )
}

function ToastItem({ item }: { item: Shown }) {
  const [held, setHeld] = useState(false)
  const close = () => change(shown.filter(({ id }) => id !== item.id))
  const stayMs = item.stayMs ?? (item.action === undefined ? 6_000 : 12_000)
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(() => change(shown.filter(({ id }) => id !== item.id)), stayMs)
    return () => clearTimeout(timer)
  }, [held, stayMs, item.id])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it
    <div
      className={classes(styles['toast'], item.tone === 'bad' && styles['bad'])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={styles['text']}>{item.text}</span>
      <span className={styles['actions']}>
        {item.action !== undefined && (
          <Button
            size="sm"
            onClick={() => {
              item.action?.onSelect()
              close()
            }}
          >
            {item.action.label}
          </Button>
        )}
        <IconButton label={t('dismiss')} size="sm" icon={<X size={14} />} onClick={close} />
      </span>
    </div>
  )
}
