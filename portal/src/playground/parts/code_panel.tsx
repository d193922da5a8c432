// The request as code, exactly as it would be sent; the credential stands as $API_KEY unless one asks for it.
import { type CodeSample, samplesFor } from '@tandem/catalog'
import { Copy } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Endpoint } from '../../session/catalog.ts'
import { copyText } from '../../ui/clipboard.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { Button, CheckboxField, Menu, SelectField, useToast } from '../../ui/index.ts'
import { listText } from '../../words/format.ts'
import { type Effective, httpText, requestValue } from '../request/request.ts'
import { t } from '../texts.ts'
import styles from './screen.module.css'

const languageKey = 'tandem.sampleLanguage'

function storedLanguage(): string {
  try {
    return localStorage.getItem(languageKey) ?? 'curl'
  } catch {
    return 'curl'
  }
}

type Shown = Omit<CodeSample, 'language'> & { language: string }

/** All samples of a request; `withSecret` writes the credential itself. */
function samplesOf(effective: Effective, endpoint: Endpoint | undefined, withSecret: boolean): CodeSample[] {
  return samplesFor(requestValue(effective), {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(withSecret ? {} : { tokenVariable: 'API_KEY' }),
  })
}

/** Copies the request in any of the languages, without the credential. */
export function CopyAs({ effective, endpoint }: CodePanelProps) {
  const toast = useToast()
  const samples = useMemo(() => samplesOf(effective, endpoint, false), [effective, endpoint])
  const copy = async ({ code, label }: CodeSample) => {
    try {
      await copyText(code)
      toast({ text: t('copiedAs', { label }), tone: 'ok' })
    } catch {
      toast({ text: t('copyRefused'), tone: 'bad' })
    }
  }
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost" icon={<Copy size={14} />}>
          {t('copyAs')}
        </Button>
      }
      items={samples.map(sample => ({
        key: sample.language,
        label: `${sample.label} (${sample.library})`,
        onSelect: () => void copy(sample),
      }))}
    />
  )
}

export type CodePanelProps = { effective: Effective; endpoint: Endpoint | undefined }
export function CodePanel({ effective, endpoint }: CodePanelProps) {
  const [language, setLanguage] = useState(storedLanguage)
  const [withSecret, setWithSecret] = useState(false)
  const samples = useMemo(() => samplesOf(effective, endpoint, withSecret), [effective, endpoint, withSecret])
  const asSent: Shown = {
    language: 'http',
    label: t('http'),
    library: t('asSent'),
    code: httpText(effective, withSecret),
  }
  const shown: readonly Shown[] = [...samples, asSent]
  const sample = shown.find(each => each.language === language) ?? asSent
  const hasSecret = effective.headers.some(header => header.name.toLowerCase() === 'authorization')
  const choose = (next: string) => {
    setLanguage(next)
    try {
      localStorage.setItem(languageKey, next)
    } catch {
      // Without storage the choice holds until the page is left.
    }
  }
  return (
    <div className={styles['code']}>
      <div className={styles['codeTools']}>
        <SelectField
          label={t('language')}
          hideLabel
          value={sample.language}
          options={shown.map(each => ({ value: each.language, label: `${each.label} (${each.library})` }))}
          onChange={event => choose(event.target.value)}
        />
        {hasSecret && (
          <CheckboxField
            label={t('includeSecret')}
            checked={withSecret}
            onChange={event => setWithSecret(event.target.checked)}
          />
        )}
      </div>
      <CodeBlock code={sample.code} language={sample.language} label={t('codeOf', { label: sample.label })} wrap />
      {effective.dropped.length > 0 && (
        <p className={styles['quiet']}>
          {t('notInCode', { names: listText(effective.dropped.map(({ name }) => name)) })}
        </p>
      )}
    </div>
  )
}
