// An error answer explained where it appears: what happened, which field, what to do, and whether a permission was missing.
import { Check, X } from 'lucide-react'
import { useCountdown } from '../../ui/countdown.ts'
import { fieldFaultText } from '../../ui/faults.ts'
import { Button, TextLink } from '../../ui/index.ts'
import { currentLanguage } from '../../words/language.ts'
import styles from '../parts/response.module.css'
import type { Explanation, FieldFault } from '../sending/explain.ts'
import { t } from './texts.ts'

export type ExplanationCardProps = {
  explanation: Explanation
  receivedAtMs: number
  /** Shows the field in the request. */
  onField(fault: FieldFault): void
  onMethod(method: string): void
  onResend(): void
}
export function ExplanationCard({ explanation, receivedAtMs, onField, onMethod, onResend }: ExplanationCardProps) {
  const { title, code, message, cause, fix, link, isDocumented, fields, permission, allow, retryAfterSeconds } =
    explanation
  const isEnglish = currentLanguage() === 'en'
  return (
    <section className={styles['explain']} aria-label={t('wentWrong')}>
      <h2>
        {title}
        {code !== undefined && <code>{code}</code>}
      </h2>
      {message !== undefined && fields.length === 0 && <p>{message}</p>}
      {fields.length > 0 && (
        <ul className={styles['explainFields']}>
          {fields.map(fault => (
            <li key={`${fault.field} ${fault.message}`}>
              <button type="button" onClick={() => onField(fault)} title={t('showInRequest')}>
                {fault.field === '' ? t('theBody') : fault.field}
              </button>{' '}
              {isEnglish ? fault.message : fieldFaultText(fault)}
            </li>
          ))}
        </ul>
      )}
      {cause !== undefined && (message === undefined || !isEnglish) && (
        <p>
          <Words text={cause} />
        </p>
      )}
      {permission !== undefined && (
        <p className={styles['explainPermission']} data-verdict={permission.verdict}>
          {permission.verdict === 'allowed' || permission.verdict === 'open' ? <Check size={14} /> : <X size={14} />}
          {permission.text}
        </p>
      )}
      {fix !== undefined && (
        <p>
          <b>{t('fix')}</b> <Words text={fix} />
        </p>
      )}
      {allow !== undefined && (
        <p className={styles['explainActions']}>
          {t('pathTakes')}
          {allow.map(method => (
            <Button key={method} size="sm" onClick={() => onMethod(method)}>
              {method}
            </Button>
          ))}
        </p>
      )}
      {retryAfterSeconds !== undefined && (
        <Retry seconds={retryAfterSeconds} receivedAtMs={receivedAtMs} onResend={onResend} />
      )}
      {link !== undefined && (
        <p className={styles['explainLink']}>
          <TextLink to="/errors/$code" params={{ code: code ?? '' }}>
            {t(isDocumented ? 'errorReference' : 'errorReferenceOther')}
          </TextLink>
        </p>
      )}
    </section>
  )
}

/** Text in which `code` stands between backticks. */
function Words({ text }: { text: string }) {
  return text.split('`').map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, by their place
    index % 2 === 1 ? <code key={index}>{piece}</code> : piece,
  )
}

function Retry({ seconds, receivedAtMs, onResend }: { seconds: number; receivedAtMs: number; onResend(): void }) {
  const left = useCountdown(seconds, receivedAtMs)
  return (
    <p className={styles['explainActions']}>
      <Button size="sm" disabled={left > 0} onClick={onResend}>
        {left > 0 ? t('sendAgainIn', { seconds: left }) : t('sendAgain')}
      </Button>
    </p>
  )
}
