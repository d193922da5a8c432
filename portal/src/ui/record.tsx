// What pages of single records share: the way a missing value looks, a problem code with the way to its meaning.
import { TextLink } from './button.tsx'
import { Time } from './format.tsx'
import styles from './record.module.css'

/** A problem code that stands in a record, with the way to its meaning. */
export function CodeLink({ code }: { code: string }) {
  return (
    <TextLink to="/errors/$code" params={{ code }}>
      <code>{code}</code>
    </TextLink>
  )
}

/** A moment in full, or a dash where it has not come. */
export function Moment({ iso }: { iso: string | null }) {
  return iso === null ? <span>–</span> : <Time iso={iso} exact />
}

/** What went wrong with a form as a whole. */
export function ErrorNote({ text }: { text: string }) {
  return (
    <p className={styles['error']} role="alert">
      {text}
    </p>
  )
}
