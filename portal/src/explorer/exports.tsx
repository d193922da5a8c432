// The reference to take along: for other tools, for language models, as text.
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '../ui/clipboard.ts'
import { Button, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import styles from './endpoint.module.css'
import { t } from './texts.ts'

const files = byLanguage(
  () =>
    [
      ['/openapi.json', 'OpenAPI 3.1'],
      ['/exports/postman.json', t('postman')],
      ['/exports/bruno.json', t('bruno')],
      ['/llms.txt', 'llms.txt'],
      ['/llms-full.txt', 'llms-full.txt'],
    ] as const,
)

/** @param page the address whose Markdown is offered too */
export function Exports({ page }: { page?: string }) {
  return (
    <nav className={styles['exports']} aria-label={t('export')}>
      {page !== undefined && <a href={`${page}.md`}>{t('asMarkdown')}</a>}
      {files().map(([href, name]) => (
        <a key={href} href={href}>
          {name}
        </a>
      ))}
    </nav>
  )
}

async function markdownOf(page: string): Promise<string> {
  const response = await fetch(`${page}.md`, { credentials: 'omit' })
  if (!response.ok) throw new Error(String(response.status))
  return response.text()
}

/** Copies the page as Markdown, for notes and for language models. */
export function CopyAsMarkdown({ page }: { page: string }) {
  const [busy, setBusy] = useState(false)
  const copy = async () => {
    setBusy(true)
    try {
      await copyText(await markdownOf(page))
      toast({ text: t('markdownCopied'), tone: 'ok' })
    } catch {
      toast({ text: t('markdownFailed', { address: `${page}.md` }), tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<FileText size={14} />} busy={busy} onClick={() => void copy()}>
      {t('copyMarkdown')}
    </Button>
  )
}
