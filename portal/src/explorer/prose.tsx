// Descriptions as they may be shown: paragraphs of plain text, with what stands in backticks as code. Never HTML.
import { Fragment, type ReactNode } from 'react'

/** One run of text, with its code spans. */
export function inlineText(text: string): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}

/** Paragraphs, parted by empty lines. */
export function Prose({ text, className }: { text: string; className?: string }) {
  return (
    <div className={className}>
      {text.split(/\n{2,}/).map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of one text, in its order
        <p key={index}>{inlineText(paragraph)}</p>
      ))}
    </div>
  )
}

/** A value as it would be written in JSON, texts without quotes. */
export function Value({ value }: { value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <code>{text === '' ? '""' : text}</code>
}

/** Parts with a comma between them. */
export function commas(parts: readonly ReactNode[]): ReactNode {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts stand in a fixed order
    <Fragment key={index}>
      {index > 0 && ', '}
      {part}
    </Fragment>
  ))
}
