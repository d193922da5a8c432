// One side of a message, call or mail: by name where it is known whose address it is, with the way to them, and the number beside it.
import type { ReactNode } from 'react'
import { knownNoun } from '../nouns/known.ts'
import { ownIdOf } from '../nouns/noun.ts'
import { useSession } from '../session/session.ts'
import { TextLink } from '../ui/index.ts'
import styles from './people.module.css'
import { PhoneNumber } from './phone_number.tsx'
import { clientOf } from './phone_text.ts'
import { usePhoneText } from './use_phone_text.ts'
import { type Person, useWho } from './who.ts'

export type PartyProps = {
  address: string
  /** What they call themselves, where nobody is known by the address. */
  name?: string | null
  /** The name is no link where it stands in one. */
  isPlain?: boolean
}

export function Party({ address, name, isPlain = false }: PartyProps) {
  const person = useWho(address)
  const client = clientOf(address)
  const number = client === undefined ? <PhoneNumber number={address} /> : <span title={address}>{client}</span>
  if (person === null || person === undefined) {
    if (!name || name === address) return number
    return (
      <span className={styles['party']}>
        <span dir="auto">{name}</span> <span className={styles['faint']}>{number}</span>
      </span>
    )
  }
  // A lead of whom nothing but the number is known is called by it.
  const isNumber = person.name === address
  return (
    <span className={styles['party']}>
      <PersonName person={person} isPlain={isPlain}>
        {isNumber ? number : undefined}
      </PersonName>
      {!isNumber && client === undefined && <span className={styles['faint']}>{number}</span>}
    </span>
  )
}

/** The same in a sentence: the name, else the number as people write it. */
export function usePartyName(address: string): string {
  const text = usePhoneText()(address)
  return useWho(address)?.name ?? clientOf(address) ?? text
}

type Sides = { direction: string; from: string; to: string }

/** The other side of a text or call. */
export const partyOf = ({ direction, from, to }: Sides): string => (direction === 'inbound' ? from : to)

/** The same by name, in a sentence. */
export const useOtherName = (of: Sides): string => usePartyName(partyOf(of))

/** Somebody by name in a line of text: as we know them, else as they call themselves, else the address. */
export function AddressName({ address, name }: { address: string; name: string | null }) {
  const person = useWho(address)
  return (
    <span dir="auto" title={address}>
      {person?.name ?? name ?? address}
    </span>
  )
}

type PersonNameProps = { person: Person; isPlain: boolean; children: ReactNode }
function PersonName({ person: { type, id, name }, isPlain, children }: PersonNameProps) {
  const { permissions } = useSession()
  const shown = children ?? <span dir="auto">{name}</span>
  const noun = knownNoun(type)
  const many = noun?.many ?? 'users'
  if (isPlain || !permissions.has(`${many}:read`)) return shown
  const own = noun === undefined ? id : ownIdOf({ one: type, ...noun }, id)
  return (
    <TextLink to={`/${many}/$id` as '/leads/$id'} params={{ id: String(own) }}>
      {shown}
    </TextLink>
  )
}
