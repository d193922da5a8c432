// An address of the Explorer that names no endpoint: says so, and offers what comes closest.
import { createSearch } from '@tandem/catalog'
import { endpointAddress, endpoints } from '../session/catalog.ts'
import { ButtonLink, EmptyState, MethodBadge, TextLink, useDocumentTitle } from '../ui/index.ts'
import styles from './endpoint.module.css'

export function UnknownEndpoint({ address }: { address: string }) {
  useDocumentTitle('No such endpoint')
  const words = address.replace('/explorer/', '').split(/[/-]/).slice(1).join(' ')
  const close = createSearch(endpoints)(decodeURIComponent(words)).slice(0, 5)
  return (
    <>
      <h1 className="visually-hidden">No such endpoint</h1>
      <EmptyState
        title="There is no such endpoint"
        text="The address may be mistyped, or the endpoint may have another name by now."
        action={
          <ButtonLink to="/explorer" search={{}}>
            All endpoints
          </ButtonLink>
        }
      />
      {close.length > 0 && (
        <section className={styles['close']} aria-label="Endpoints with a similar address">
          <h2>Close to it</h2>
          <ul>
            {close.map(entry => (
              <li key={entry.id}>
                <MethodBadge method={entry.method} />{' '}
                <TextLink to={endpointAddress(entry) as '/'}>{entry.name}</TextLink>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
