// What stands while a screen is fetched, where no screen is, and where one is that the person may not see.
import { ShieldX } from 'lucide-react'
import { ButtonLink, EmptyState, LoadingRows, PageHeader } from '../ui/index.ts'
import { t } from './texts.ts'

export function Pending() {
  return <LoadingRows label={t('loading')} />
}

export function NotFound() {
  return (
    <>
      <PageHeader title={t('notFound')} />
      <EmptyState title={t('noPage')} text={t('noPageText')} action={<ButtonLink to="/">{t('home')}</ButtonLink>} />
    </>
  )
}

/** In place of a screen the person's role may not read; nothing is asked of the server. */
export function Refused({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        icon={<ShieldX size={20} />}
        title={t('refused', { title })}
        text={t('refusedText')}
        action={<ButtonLink to="/">{t('home')}</ButtonLink>}
      />
    </>
  )
}
