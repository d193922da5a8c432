// A mail as its reader sees it, in a frame that may do nothing: no scripts, no forms, no other addresses, and no way to this page. The
// policy of the portal holds inside as well, so nothing is fetched from elsewhere.
import { useEffect, useState } from 'react'
import styles from './mails.module.css'
import { t } from './texts.ts'
import { withoutFetching } from './words.ts'

export function MailFrame({ html, title }: { html: string; title: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([withoutFetching(html)], { type: 'text/html;charset=utf-8' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [html])
  if (address === undefined) return null
  return <iframe className={styles['frame']} sandbox="" src={address} title={t('frame', { title })} />
}
