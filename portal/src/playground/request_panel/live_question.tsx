// What is asked before live data change: which record it is, by name, and what of it becomes different. Where the server
// does not say, the person types the id once more.
import { useEffect, useState } from 'react'
import { Button, ConfirmDialog, DescriptionList, LoadingRows } from '../../ui/index.ts'
import { type Withheld, withheldText } from '../request/careful.ts'
import { type Change, changesOf, factsOf, type Looked, nameOf, nounText, type Target } from '../state/target.ts'
import type { Question } from '../state/use_playground.ts'
import styles from './live_question.module.css'
import { t } from './texts.ts'

/** Ids and a body that came with a request, to be filled in by the person's own act. */
export function WithheldNote({ withheld, onFill }: { withheld: Withheld | undefined; onFill(): void }) {
  if (withheld === undefined) return null
  return (
    <div className={styles['withheld']} role="status">
      <span>{t('withheld', { what: withheldText(withheld) })}</span>
      <Button size="sm" onClick={onFill}>
        {t('fillIn')}
      </Button>
    </div>
  )
}

export type LiveQuestionProps = { asking: Question | undefined; onAnswer(yes: boolean): void }

export function LiveQuestion({ asking, onAnswer }: LiveQuestionProps) {
  const about = asking?.about
  const [found, setFound] = useState<{ for: Question; looked: Looked }>()
  useEffect(() => {
    if (asking?.about === undefined) return undefined
    const stop = new AbortController()
    asking.about.look(stop.signal).then(
      looked => setFound({ for: asking, looked }),
      error => {
        if (!stop.signal.aborted) setFound({ for: asking, looked: { kind: 'unknown', why: String(error) } })
      },
    )
    return () => stop.abort()
  }, [asking])
  const looked = found !== undefined && found.for === asking ? found.looked : undefined
  const typed = about !== undefined && looked?.kind === 'unknown' ? about.target.id || about.target.noun : undefined
  return (
    <ConfirmDialog
      open={asking !== undefined}
      onOpenChange={open => !open && onAnswer(false)}
      title={asking?.title ?? ''}
      description={asking?.text ?? ''}
      confirmLabel={asking?.confirmLabel ?? ''}
      danger={asking?.danger}
      busy={about !== undefined && looked === undefined}
      {...(typed === undefined ? {} : { typeToConfirm: typed })}
      onConfirm={() => onAnswer(true)}
    >
      {about === undefined ? undefined : looked === undefined ? (
        <LoadingRows label={t('loadingNamed', { name: nounText(about.target.noun) })} rows={2} />
      ) : (
        <LookedAt looked={looked} target={about.target} effective={about.effective} />
      )}
    </ConfirmDialog>
  )
}

type LookedAtProps = { looked: Looked; target: Target; effective: { method: string; body: string | undefined } }

function LookedAt({ looked, target, effective }: LookedAtProps) {
  const { method, body } = effective
  const noun = nounText(target.noun)
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${target.id}`.trim()
  if (looked.kind === 'missing') return <p>{t('targetMissing', { title })}</p>
  const isChange = method === 'PATCH' || method === 'PUT'
  const before = looked.kind === 'record' && isChange ? looked.before : {}
  const changes = changesOf(before, body, method === 'PUT' && looked.kind === 'record')
  return (
    <>
      {looked.kind === 'record' ? (
        <section className={styles['record']} aria-label={title}>
          <h3>
            {nameOf(looked.record) ?? title}
            {nameOf(looked.record) !== undefined && <small>{title}</small>}
          </h3>
          <DescriptionList items={factsOf(looked.record)} />
        </section>
      ) : (
        <p>{t('targetUnknown', { title, why: looked.why })}</p>
      )}
      {method !== 'DELETE' && (
        <ChangeList changes={changes} heading={t(isChange ? 'whatChanges' : 'whatIsSent')} isChange={isChange} />
      )}
    </>
  )
}

function ChangeList({ changes, heading, isChange }: { changes: Change[]; heading: string; isChange: boolean }) {
  if (changes.length === 0) return isChange ? <p>{t('nothingChanges')}</p> : null
  return (
    <section aria-label={heading}>
      <h3>{heading}</h3>
      <ul className={styles['changes']}>
        {changes.map(({ field, from, to }) => (
          <li key={field}>
            <code>{field}</code>
            <span>
              {from !== '' && (
                <>
                  <del>{from}</del> →{' '}
                </>
              )}
              <b>{to}</b>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
