// The Explorer before an endpoint is chosen: where the API is, how to be let in, and what there is, by category.
import { KeyRound, Play, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { byCategory, categories, endpointAddress, endpoints, preloadEndpoint } from '../session/catalog.ts'
import { CopyButton } from '../ui/code.tsx'
import { ButtonLink, Card, MethodBadge, TextLink, useDocumentTitle } from '../ui/index.ts'
import { Exports } from './exports.tsx'
import styles from './landing.module.css'
import { PlannedCategories } from './planned.tsx'

const firstShown = 4

// What is typed into the search must not draw it again.
export const Landing = memo(function Landing() {
  useDocumentTitle('Explorer')
  const groups = byCategory()
  return (
    <div className={styles['landing']}>
      <div className={styles['intro']}>
        <h2>One API for customers and conversations</h2>
        <p>
          {endpoints.length} endpoints in {groups.length} categories. Version 1 holds customers: leads, contacts and
          invoices. Version 2 carries conversations: messages, mails and calls. Both take the same keys and tokens.
        </p>
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
            actions={
              <span className={styles['faint']}>{own.length === 1 ? '1 endpoint' : `${own.length} endpoints`}</span>
            }
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
                {`${own.length - firstShown} more in ${category}`}
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

const bases = { v1: 'CRM', v2: 'Communications', oauth: 'OAuth 2.1' }

function BaseAddresses() {
  const { origin } = window.location
  return (
    <Card title="Base addresses">
      {Object.entries(bases).map(([version, name]) => (
        <div key={version} className={styles['address']}>
          <span className={styles['faint']}>{name}</span>
          <code>{`${origin}/${version}/`}</code>
          <CopyButton text={`${origin}/${version}/`} label={`Copy the base address of ${version}`} />
        </div>
      ))}
      <p className={styles['about']}>JSON in and out. The key decides between test and live mode, never the address.</p>
    </Card>
  )
}

function Authentication() {
  const header = 'Authorization: Bearer <API key or access token>'
  return (
    <Card title="Authentication">
      <div className={styles['address']}>
        <code>{header}</code>
        <CopyButton text={header} label="Copy the header" />
      </div>
      <p className={styles['about']}>
        Keys are for programs of your own, access tokens for people and apps: they come from{' '}
        <TextLink to="/explorer" search={{ q: 'log in' }}>
          Log in
        </TextLink>{' '}
        and{' '}
        <TextLink to="/explorer" search={{ version: 'oauth' }}>
          OAuth
        </TextLink>
        , and last an hour.
      </p>
      <div className={styles['actions']}>
        <ButtonLink size="sm" icon={<KeyRound size={14} />} to="/keys">
          Create a key
        </ButtonLink>
        <ButtonLink size="sm" icon={<Play size={14} />} to="/playground" search={{ endpoint: 'users.me' }}>
          Try who you are
        </ButtonLink>
        <ButtonLink size="sm" icon={<TriangleAlert size={14} />} to="/errors">
          All errors
        </ButtonLink>
      </div>
    </Card>
  )
}
