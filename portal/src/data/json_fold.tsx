// A record as the API gives it, for those who write programs: below what everybody reads, and folded away by who has no use for it.
import { CodeBlock } from '../ui/code.tsx'
import styles from './record.module.css'

export function JsonFold({ value, label }: { value: unknown; label: string }) {
  return (
    <details className={styles['fold']} open>
      <summary>{label}</summary>
      <CodeBlock code={JSON.stringify(value, null, 2)} language="json" label={label} />
    </details>
  )
}
