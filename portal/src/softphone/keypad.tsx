// The twelve keys of a phone.
import styles from './phone.module.css'
import { t } from './texts.ts'

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const

function nameOf(key: string): string {
  return key === '*' ? t('keyStar') : key === '#' ? t('keyHash') : t('key', { name: key })
}

export function Keypad({ onPress }: { onPress(key: string): void }) {
  return (
    <fieldset className={styles['keypad']}>
      <legend className="visually-hidden">{t('keypad')}</legend>
      {keys.map(key => (
        <button key={key} type="button" aria-label={nameOf(key)} onClick={() => onPress(key)}>
          {key}
        </button>
      ))}
    </fieldset>
  )
}
