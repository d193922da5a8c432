// The reference to take along: for other tools, for language models, as text.
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { Button, toast } from '../ui/index.ts'
import styles from './endpoint.module.css'

const files = [
  ['/openapi.json', 'OpenAPI 3.1'],
  ['/exports/postman.json', 'Postman collection'],
  ['/exports/bruno.json', 'Bruno collection'],
  ['/llms.txt', 'llms.txt'],
  ['/llms-full.txt', 'llms-full.txt'],
] as const

/** @param page the address whose Markdown is offered too */
export function Exports({ page }: { page?: string }) {
  return (
    <nav className={styles['exports']} aria-label="Take along">
      {page !== undefined && <a href={`${page}.md`}>This page as Markdown</a>}
      {files.map(([href, name]) => (
        <a key={href} href={href}>
          {name}
        </a>
      ))}
    </nav>
  )
}

async function markdownOf(page: string): Promise<string> {
  const response = await fetch(`${page}.md`, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The Markdown of this page could not be loaded (${response.status}).`)
  return response.text()
}

/** Copies the page as Markdown, for notes and for language models. */
export function CopyAsMarkdown({ page }: { page: string }) {
  const [busy, setBusy] = useState(false)
  const copy = async () => {
    setBusy(true)
    try {
      await navigator.clipboard.writeText(await markdownOf(page))
      toast({ text: 'The page is copied as Markdown.', tone: 'ok' })
    } catch (error) {
      const text = error instanceof Error ? error.message : 'The browser did not let the portal copy.'
      toast({ text: `${text} Open ${page}.md instead.`, tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<FileText size={14} />} busy={busy} onClick={() => void copy()}>
      Copy as Markdown
    </Button>
  )
}
