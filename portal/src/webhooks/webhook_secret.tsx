// The secret of a new or rotated webhook, this once, with code that checks signatures by it.
import type { Webhook } from '@tandem/sdk'
import { useState } from 'react'
import { colouredCode } from '../explorer/coloured_code.tsx'
import { useLanguage } from '../explorer/language.ts'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { CodeBlock } from '../ui/code.tsx'
import { SegmentedControl, TextLink, Time } from '../ui/index.ts'
import { type SnippetLanguage, snippetLanguages, snippets } from './snippets.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

export type ShownSecret = Pick<Webhook, 'webhookId' | 'url' | 'previousSecretUntil'> & { secret: string }

export function WebhookSecret({ shown, onDone }: { shown: ShownSecret; onDone(): void }) {
  const { url, secret, previousSecretUntil } = shown
  return (
    <SecretDialog
      wide
      title={t('secretTitle')}
      description={t.rich('secretText', { url: () => <span className={styles['url']}>{url}</span> })}
      secret={secret}
      onDone={onDone}
    >
      {previousSecretUntil !== null && (
        <p>{t.rich('secretBoth', { until: () => <Time iso={previousSecretUntil} exact /> })}</p>
      )}
      <Verification />
    </SecretDialog>
  )
}

/** Code that checks a signature, in the reader's language. */
export function Verification() {
  const preferred = useLanguage()
  const known = snippetLanguages.find(({ value }) => value === preferred)
  const [language, setLanguage] = useState<SnippetLanguage>(known?.value ?? 'javascript')
  return (
    <div className={styles['verification']}>
      <div className={styles['line']}>
        <strong>{t('checkEach')}</strong>
        <SegmentedControl<SnippetLanguage>
          label={t('language')}
          options={snippetLanguages}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <CodeBlock
        label={t('verification')}
        language={language}
        code={snippets[language]}
        coloured={colouredCode(snippets[language], language)}
      />
      <p className={styles['hint']}>
        {t.rich('verifyHint', { link: text => <TextLink to={docsAddress as '/'}>{text}</TextLink> })}
      </p>
    </div>
  )
}

const docsAddress = '/explorer/v2/organization/post-webhooks'
