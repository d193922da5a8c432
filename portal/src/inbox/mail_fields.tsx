// The fields of a mail: its subject where it answers none, and its words.
import { TextArea, TextField } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import styles from './composer.module.css'
import type { Draft } from './draft.ts'
import { t } from './texts.ts'
import type { One } from './views.ts'

const MailFiles = readyPart(() => import('../mails/mail_files.tsx').then(module => module.MailFiles))

export type MailFieldsProps = {
  reply: NonNullable<One['reply']['mail']>
  values: Draft
  onChange(patch: Partial<Draft>): void
}

export function MailFields({ reply, values: { subject, mail, attached }, onChange }: MailFieldsProps) {
  return (
    <>
      {reply.subject === null ? (
        <TextField
          label={t('mail.subject')}
          hideLabel
          placeholder={t('mail.subject.hint', { to: reply.to })}
          maxLength={998}
          required
          value={subject}
          onChange={({ target }) => onChange({ subject: target.value })}
        />
      ) : (
        <p className={styles['about']} dir="auto">
          {reply.subject} <span>{t('mail.to', { address: reply.to })}</span>
        </p>
      )}
      <TextArea
        label={t('mail.field', { to: reply.to })}
        hideLabel
        placeholder={t('mail.field', { to: reply.to })}
        rows={5}
        dir="auto"
        className={styles['area']}
        value={mail}
        onChange={({ target }) => onChange({ mail: target.value })}
      />
      <MailFiles files={attached} onChange={next => onChange({ attached: next })} />
    </>
  )
}
