// A record as the API gives it, for those who write programs: folded away, below what everybody reads.
import { CodeBlock } from '../ui/code.tsx'
import styles from './record.module.css'

export function JsonFold({ value, label }: { value: unknown; label: string }) {
  return (
    <details className={styles['fold']}>
      <summary>{label}</summary>
      <CodeBlock code={JSON.stringify(value, null, 2)} language="json" label={label} />
    </details>
  )
}
