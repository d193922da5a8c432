// The Explorer before an endpoint is chosen: where the API is, how to be let in, and what there is, by category.
import { KeyRound, Play, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { byCategory, categories, endpointAddress, endpoints, preloadEndpoint } from '../session/catalog.ts'
import { CopyButton } from '../ui/code.tsx'
import { ButtonLink, Card, MethodBadge, TextLink, useDocumentTitle } from '../ui/index.ts'
import { useLanguage } from '../words/language.ts'
import { Exports } from './exports.tsx'
import styles from './landing.module.css'
import { PlannedCategories } from './planned.tsx'
import { t } from './texts.ts'

const firstShown = 4

// What is typed into the search must not draw it again.
export const Landing = memo(function Landing() {
  useLanguage()
  useDocumentTitle(t('explorer'))
  const groups = byCategory()
  return (
    <div className={styles['landing']}>
      <div className={styles['intro']}>
        <h2>{t('intro')}</h2>
        <p>{t('introText', { endpoints: endpoints.length, categories: groups.length })}</p>
      </div>
      <div className={styles['basics']}>
        <BaseAddresses />
        <Authentication />
      </div>
      <div className={styles['cards']}>
        {groups.map(([category, own]) => (
          <Card
            key={category}
            title={
              <TextLink to="/explorer" search={{ category }} className={styles['cardTitle']}>
                {category}
              </TextLink>
            }
            actions={<span className={styles['faint']}>{t('endpointCount', { count: own.length })}</span>}
          >
            <p className={styles['about']}>{categories.find(({ name }) => name === category)?.description}</p>
            <ul className={styles['first']}>
              {own.slice(0, firstShown).map(entry => (
                <li key={entry.id}>
                  <MethodBadge method={entry.method} />
                  <TextLink
                    to={endpointAddress(entry) as '/'}
                    onPointerEnter={() => preloadEndpoint(entry.id)}
                    onFocus={() => preloadEndpoint(entry.id)}
                  >
                    {entry.name}
                  </TextLink>
                  <span className={styles['faint']}>{entry.version}</span>
                </li>
              ))}
            </ul>
            {own.length > firstShown && (
              <TextLink to="/explorer" search={{ category }} className={styles['rest']}>
                {t('moreIn', { count: own.length - firstShown, category })}
              </TextLink>
            )}
          </Card>
        ))}
      </div>
      <PlannedCategories />
      <Exports page="/explorer" />
    </div>
  )
})

const bases = ['v1', 'v2', 'oauth'] as const

function BaseAddresses() {
  const { origin } = window.location
  return (
    <Card title={t('bases')}>
      {bases.map(version => (
        <div key={version} className={styles['address']}>
          <span className={styles['faint']}>{t(`base.${version}`)}</span>
          <code>{`${origin}/${version}/`}</code>
          <CopyButton text={`${origin}/${version}/`} label={t('copyBase', { version })} />
        </div>
      ))}
      <p className={styles['about']}>{t('jsonInOut')}</p>
    </Card>
  )
}

function Authentication() {
  const header = 'Authorization: Bearer <API key or access token>'
  return (
    <Card title={t('authentication')}>
      <div className={styles['address']}>
        <code>{header}</code>
        <CopyButton text={header} label={t('copyHeader')} />
      </div>
      <p className={styles['about']}>
        {t.rich('authenticationText', {
          login: text => (
            <TextLink to="/explorer" search={{ q: 'log in' }}>
              {text}
            </TextLink>
          ),
          oauth: text => (
            <TextLink to="/explorer" search={{ version: 'oauth' }}>
              {text}
            </TextLink>
          ),
        })}
      </p>
      <div className={styles['actions']}>
        <ButtonLink size="sm" icon={<KeyRound size={14} />} to="/keys">
          {t('createKey')}
        </ButtonLink>
        <ButtonLink size="sm" icon={<Play size={14} />} to="/playground" search={{ endpoint: 'users.me' }}>
          {t('tryMe')}
        </ButtonLink>
        <ButtonLink size="sm" icon={<TriangleAlert size={14} />} to="/errors">
          {t('allErrors')}
        </ButtonLink>
      </div>
    </Card>
  )
}
