// The line below a body: which value the cursor is on, and what can be done with it.
import { Braces, KeyRound } from 'lucide-react'
import { CopyButton } from '../../ui/code.tsx'
import { Button } from '../../ui/index.ts'
import { visible } from '../body/body_work.ts'
import { type ChosenValue, textOf } from '../body/chosen_value.ts'
import styles from '../parts/response.module.css'
import { kindOfCredential } from '../request/credential.ts'
import { t } from './texts.ts'

export type ValueBarProps = {
  chosen: ChosenValue | undefined
  onVariable(chosen: ChosenValue): void
  onCredential(text: string): void
  onInspect(id: string): void
}
export function ValueBar({ chosen, onVariable, onCredential, onInspect }: ValueBarProps) {
  if (chosen === undefined) {
    return <p className={styles['valueBar']}>{t('cursorHint')}</p>
  }
  const isScalar = chosen.kind !== 'object' && chosen.kind !== 'array'
  const text = isScalar ? textOf(chosen) : ''
  const secret = chosen.kind === 'string' && !['unknown', 'refresh token'].includes(kindOfCredential(text))
  const isId = /^(?:msg|call|req|key|evt)_[0-9a-z]{26}$/.test(text)
  return (
    <div className={styles['valueBar']}>
      <span className={styles['valueName']} title={chosen.pointer} aria-live="polite">
        <code>{chosen.pointer === '' ? t('wholeBody') : visible(chosen.pointer)}</code>
        {isScalar && <span>{visible(text.length > 60 ? `${text.slice(0, 60)}…` : text)}</span>}
      </span>
      <span className={styles['valueActions']}>
        {isId && (
          <Button size="sm" onClick={() => onInspect(text)}>
            {t('inspect')}
          </Button>
        )}
        {secret && (
          <Button size="sm" icon={<KeyRound size={13} />} onClick={() => onCredential(text)}>
            {t('useAsCredential')}
          </Button>
        )}
        <Button size="sm" icon={<Braces size={13} />} onClick={() => onVariable(chosen)}>
          {t('useAsVariable')}
        </Button>
        <CopyButton text={() => textOf(chosen)} label={t('copyValue')} />
      </span>
    </div>
  )
}
