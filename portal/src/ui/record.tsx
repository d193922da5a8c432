// What pages of single records share: the way a missing value looks, a problem code with the way to its meaning.
import { Fragment } from 'react'
import { TextLink } from './button.tsx'
import { Time } from './format.tsx'
import styles from './record.module.css'

/** A code or type of event, which breaks between its words where a line is too short, and nowhere else. */
export function Wrapped({ text }: { text: string }) {
  return (
    <span className={styles['wrapped']}>
      {text.split(/(?<=[._])/).map((word, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a code stay where they are
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </span>
  )
}

/** A problem code that is in a record, with the way to its meaning. */
export function CodeLink({ code, inOneLine = false }: { code: string; inOneLine?: boolean }) {
  return (
    <TextLink to="/errors/$code" params={{ code }}>
      <code>{inOneLine ? code : <Wrapped text={code} />}</code>
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
