// The secret of a new or rotated webhook, this once, with code that checks signatures by it.
import type { Webhook } from '@tandem/sdk'
import { useState } from 'react'
import { colouredCode } from '../explorer/coloured_code.tsx'
import { useLanguage } from '../explorer/language.ts'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { CodeBlock } from '../ui/code.tsx'
import { SegmentedControl, TextLink, Time } from '../ui/index.ts'
import { type SnippetLanguage, snippetLanguages, snippets } from './snippets.ts'
import styles from './webhooks.module.css'

export type ShownSecret = Pick<Webhook, 'webhookId' | 'url' | 'previousSecretUntil'> & { secret: string }

export function WebhookSecret({ shown, onDone }: { shown: ShownSecret; onDone(): void }) {
  const { url, secret, previousSecretUntil } = shown
  return (
    <SecretDialog
      wide
      title="The signing secret"
      description={
        <>
          It signs what is sent to <span className={styles['url']}>{url}</span>. Copy it now: it cannot be shown again.
        </>
      }
      secret={secret}
      onDone={onDone}
    >
      {previousSecretUntil !== null && (
        <p>
          Until <Time iso={previousSecretUntil} exact /> each delivery is signed by both secrets, so that neither old
          nor new code fails.
        </p>
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
        <strong>Check each delivery</strong>
        <SegmentedControl<SnippetLanguage>
          label="Language"
          options={snippetLanguages}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <CodeBlock
        label="Verification"
        language={language}
        code={snippets[language]}
        coloured={colouredCode(snippets[language], language)}
      />
      <p className={styles['hint']}>
        Any library of Standard Webhooks does the same. Answer 2xx first and work afterwards; an event may come twice,
        so remember its <code>webhook-id</code>. <TextLink to={docsAddress as '/'}>Webhooks in the Explorer</TextLink>
      </p>
    </div>
  )
}

const docsAddress = '/explorer/v2/organization/post-webhooks'
