// Code to read and to copy. JSON is coloured token by token into text nodes; nothing is ever set as HTML.
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonProps, classes, IconButton } from './button.tsx'
import { copyText } from './clipboard.ts'
import styles from './code.module.css'
import { t } from './texts.ts'
import { toast } from './toast.tsx'

export type CopyButtonProps = Omit<ButtonProps, 'onClick'> & {
  text: string | (() => string | Promise<string>)
  /** The name of the button: "Copy URL". */
  label: string
  /** Shows the label beside the picture. */
  showLabel?: boolean
}
export function CopyButton({ text, label, showLabel, ...rest }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1_600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await copyText(typeof text === 'string' ? text : await text())
      setCopied(true)
    } catch {
      toast({ text: t('copyRefused'), tone: 'bad' })
    }
  }
  const icon = copied ? <Check size={14} /> : <Copy size={14} />
  return (
    <>
      {showLabel ? (
        <Button size="sm" {...rest} icon={icon} onClick={copy}>
          {label}
        </Button>
      ) : (
        <IconButton size="sm" {...rest} label={label} icon={icon} onClick={copy} />
      )}
      <span className="visually-hidden" aria-live="polite">
        {copied ? t('copied') : ''}
      </span>
    </>
  )
}

export type CodeBlockProps = {
  code: string
  language?: string
  /** Names the block: "Sample reply". */
  label: string
  wrap?: boolean
  /** Beside the copy button. */
  actions?: ReactNode
  /** The code in colours, where it is not JSON: shown in its place, never copied. */
  coloured?: ReactNode
}
export function CodeBlock({ code, language, label, wrap, actions, coloured }: CodeBlockProps) {
  return (
    <div className={styles['block']}>
      <div className={styles['head']}>
        <span>{label}</span>
        <span>
          {actions}
          <CopyButton text={code} label={t('copyNamed', { name: label })} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it (WCAG 2.1.1) */}
      <section className={styles['scroll']} aria-label={label} tabIndex={0}>
        <pre className={classes(styles['pre'], wrap && styles['wrap'])}>
          <code>{coloured ?? (language === 'json' ? colouredJson(code) : code)}</code>
        </pre>
      </section>
    </div>
  )
}

/** A value as coloured, indented JSON. */
export function JsonView({ value, label, actions }: { value: unknown; label: string; actions?: ReactNode }) {
  return <CodeBlock code={JSON.stringify(value, null, 2)} language="json" label={label} actions={actions} />
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g

/** JSON text as text nodes and coloured spans. */
export function colouredJson(code: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of code.matchAll(token)) {
    const [whole, string, colon, number] = match
    if (match.index > end) parts.push(code.slice(end, match.index))
    const kind =
      string !== undefined ? (colon === undefined ? 'string' : 'key') : number !== undefined ? 'number' : 'atom'
    const text = string ?? whole
    parts.push(
      <span key={match.index} className={styles[kind]}>
        {text}
      </span>,
    )
    if (colon !== undefined) parts.push(colon)
    end = match.index + whole.length
  }
  if (end < code.length) parts.push(code.slice(end))
  return parts
}
