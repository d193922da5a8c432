// An address of the Explorer that names no endpoint: says so, and offers what comes closest.
import { createSearch } from '@tandem/catalog'
import { endpointAddress, endpoints } from '../session/catalog.ts'
import { ButtonLink, EmptyState, MethodBadge, TextLink, useDocumentTitle } from '../ui/index.ts'
import styles from './endpoint.module.css'
import { t } from './texts.ts'

export function UnknownEndpoint({ address }: { address: string }) {
  useDocumentTitle(t('noEndpoint'))
  const words = address.replace('/explorer/', '').split(/[/-]/).slice(1).join(' ')
  const close = createSearch(endpoints)(decodeURIComponent(words)).slice(0, 5)
  return (
    <>
      <h1 className="visually-hidden">{t('noEndpoint')}</h1>
      <EmptyState
        title={t('noEndpointTitle')}
        text={t('noEndpointText')}
        action={
          <ButtonLink to="/explorer" search={{}}>
            {t('allEndpoints')}
          </ButtonLink>
        }
      />
      {close.length > 0 && (
        <section className={styles['close']} aria-label={t('similar')}>
          <h2>{t('close')}</h2>
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
