// The sender's own names and values on a message or call.
import styles from './messages.module.css'

export function Metadata({ pairs }: { pairs: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <ul className={styles['metadata']}>
      {pairs.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> {String(value)}
        </li>
      ))}
    </ul>
  )
}
