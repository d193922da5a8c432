// To whom a mail goes, in one line: the first two by name, and how many more.
import type { MailsListItem } from '@tandem/sdk'
import { Fragment } from 'react'
import { AddressName } from '../people/party.tsx'
import { t } from './texts.ts'

export function Recipients({ mail: { to, cc, bcc } }: { mail: Pick<MailsListItem, 'to' | 'cc' | 'bcc'> }) {
  const all = [...to, ...cc, ...bcc]
  const more = all.length - 2
  return (
    <>
      {all.slice(0, 2).map(({ address, name }, place) => (
        <Fragment key={address}>
          {place > 0 && ', '}
          <AddressName address={address} name={name ?? null} />
        </Fragment>
      ))}
      {more > 0 && <> {t('more', { count: more })}</>}
    </>
  )
}
