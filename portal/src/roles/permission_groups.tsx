// What a role may do, by what it is about: to be read, and as boxes of a form.
import type { ReactNode } from 'react'
import { allowsText } from '../rights/texts.ts'
import { CheckboxField } from '../ui/index.ts'
import type { Vocabulary } from './data.ts'
import { heldIn, type RoleDraft, whyNot } from './draft.ts'
import { groupsOf, verbOf } from './groups.ts'
import styles from './roles.module.css'
import { t } from './texts.ts'

type AreaProps = { name: string; count: string; children: ReactNode }

function Area({ name, count, children }: AreaProps) {
  return (
    <details className={styles['group']}>
      <summary>
        {name} <span className={styles['count']}>{count}</span>
      </summary>
      <div className={styles['subjects']}>{children}</div>
    </details>
  )
}

type HeldProps = { permissions: readonly string[]; vocabulary: Vocabulary }

export function HeldPermissions({ permissions, vocabulary }: HeldProps) {
  const held = new Set(permissions)
  return groupsOf(vocabulary).map(({ area, count, subjects }) => {
    const own = subjects
      .map(({ name, entries }) => ({ name, entries: entries.filter(({ permission }) => held.has(permission)) }))
      .filter(({ entries }) => entries.length > 0)
    const sum = own.reduce((total, { entries }) => total + entries.length, 0)
    return (
      <Area key={area} name={area} count={t('heldCount', { held: sum, count })}>
        {sum === 0 && <p className={styles['note']}>{t('nothing')}</p>}
        {own.map(({ name, entries }) => (
          <section key={name}>
            <h3>{name}</h3>
            <Sentences list={entries} label={t('sentences', { area, subject: name })} />
          </section>
        ))}
      </Area>
    )
  })
}

type SentencesProps = { list: readonly { permission: string; allows: string }[]; label: string }

export function Sentences({ list, label }: SentencesProps) {
  return (
    <ul className={styles['list']} aria-label={label}>
      {list.map(({ permission, allows }) => (
        <li key={permission} title={permission}>
          {allowsText(permission, allows)}
        </li>
      ))}
    </ul>
  )
}

type MatrixProps = {
  draft: RoleDraft
  vocabulary: Vocabulary
  /** What the person holds. */
  held: ReadonlySet<string>
  onChange(permissions: string[]): void
}

/** Boxes of everything that there is; what the role cannot hold says why. */
export function PermissionMatrix({ draft, vocabulary, held, onChange }: MatrixProps) {
  const holds = new Set(heldIn(draft, vocabulary, held))
  const ticked = new Set(draft.permissions)
  const toggle = (permission: string, on: boolean) =>
    onChange(on ? [...ticked, permission] : [...ticked].filter(one => one !== permission))
  return groupsOf(vocabulary).map(({ area, count, subjects }) => {
    const sum = subjects.flatMap(({ entries }) => entries).filter(({ permission }) => holds.has(permission)).length
    return (
      <Area key={area} name={area} count={t('heldCount', { held: sum, count })}>
        {subjects.map(({ name, entries }) => (
          <fieldset key={name} className={styles['subject']}>
            <legend>{name}</legend>
            {entries.map(entry => {
              const refusal = whyNot(entry, { ...draft, held })
              return (
                <CheckboxField
                  key={entry.permission}
                  label={verbOf(entry.permission)}
                  title={entry.permission}
                  hint={[allowsText(entry.permission, entry.allows), refusal, entry.always ? t('always') : undefined]
                    .filter(Boolean)
                    .join(' ')}
                  checked={holds.has(entry.permission)}
                  disabled={entry.always || refusal !== undefined}
                  onChange={event => toggle(entry.permission, event.target.checked)}
                />
              )
            })}
          </fieldset>
        ))}
      </Area>
    )
  })
}
