// The twelve keys of a phone.
import styles from './phone.module.css'

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const
const names: Record<string, string> = { '*': 'star', '#': 'hash' }

export function Keypad({ onPress }: { onPress(key: string): void }) {
  return (
    <fieldset className={styles['keypad']}>
      <legend className="visually-hidden">Keypad</legend>
      {keys.map(key => (
        <button key={key} type="button" aria-label={`Key ${names[key] ?? key}`} onClick={() => onPress(key)}>
          {key}
        </button>
      ))}
    </fieldset>
  )
}
