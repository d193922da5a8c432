// What a mail quotes at its end, folded away: it is read where it was written.
import styles from './mails.module.css'
import { t } from './texts.ts'

export function Quoted({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <details className={styles['quoted']}>
      <summary>{t('quoted')}</summary>
      <p>{text}</p>
    </details>
  )
}
